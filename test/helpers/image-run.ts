import type { BuiltImage } from './image-build.ts'
import { type Program, startProgram } from './program.ts'

/** As compose.yaml runs it: a read-only root, an own /tmp, no new privileges, and the image's user, who has no capability. */
const ENTER = `set -e
root=$1 user=$2 dir=$3; shift 3
mount --bind "$root" "$root"; cd /
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" /usr/bin/env -C "$dir" "$@"`

/** Starts the image's program, or another of its Node programs: signals reach the program itself, whose process this is. */
export function runImage(image: BuiltImage, env: Record<string, string>, args?: readonly string[]): Program {
  const [node = 'node', ...script] = image.command
  return startProgram({
    command: [
      ...['/usr/bin/unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', ENTER, 'enter'],
      ...[image.root, image.user, image.workDir, node],
    ],
    args: args ?? script,
    env: { ...image.env, ...env },
  })
}
