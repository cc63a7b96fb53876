import { spawn } from 'node:child_process'

/** Ends the processes that this one leaves when it is killed. */
export interface Reaper {
  watch(pid: number): void
  forget(pid: number): void
  /** Ends the reaper only. */
  release(): void
}

/** Kills each watched process group when stdin ends, which happens when this process is gone. */
const SCRIPT = `
pids=""
while read -r verb pid; do
  case "$verb" in
    watch) pids="$pids $pid" ;;
    forget) rest=""; for p in $pids; do [ "$p" = "$pid" ] || rest="$rest $p"; done; pids="$rest" ;;
    release) exit 0 ;;
  esac
done
for p in $pids; do kill -9 "-$p" 2>/dev/null; done
`

/** Starts the reaper: a waiting shell in its own session, so that Ctrl-C does not reach it. */
export function startReaper(): Reaper {
  const shell = spawn('sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.stdin.on('error', () => undefined)
  shell.unref()
  const say = (line: string): void => {
    if (shell.stdin.writable) shell.stdin.write(`${line}\n`)
  }
  return {
    watch: (pid) => say(`watch ${pid}`),
    forget: (pid) => say(`forget ${pid}`),
    release: () => say('release'),
  }
}
