import { between, createRandom, hashText, pick, type Random } from './random.ts'
import type { EngineResult } from './result.ts'
import { encodeWav } from './wav.ts'

const RATE = 44_100
const LONGEST_SECONDS = 120
const ATTACK = 0.02

/** A scale in semitones from its root, and sequences of chord roots as steps of that scale. */
interface Mode {
  scale: readonly number[]
  chords: readonly [number[], ...number[][]]
}

const MAJOR: Mode = {
  scale: [0, 2, 4, 5, 7, 9, 11],
  chords: [
    [0, 4, 5, 3],
    [0, 5, 3, 4],
    [0, 3, 0, 4],
  ],
}
const MINOR: Mode = {
  scale: [0, 2, 3, 5, 7, 8, 10],
  chords: [
    [0, 5, 2, 6],
    [0, 3, 5, 4],
    [0, 6, 5, 6],
  ],
}

interface Mood {
  beatsPerMinute: number
  mode: Mode
  root: number
  /** Strength of the overtone, 0 to 1. */
  bright: number
}

interface Mix {
  left: Float32Array
  right: Float32Array
}

interface Note {
  at: number
  seconds: number
  /** MIDI number; 69 is 440 Hz. */
  pitch: number
  level: number
  /** -1 left to 1 right. */
  side: number
}

/** A tune from the words of the prompt and the seed: chords, bass and melody as a 44.1 kHz stereo WAV. */
export function compose(prompt: string, input: Record<string, unknown>, seed: number): EngineResult {
  const random = createRandom(seed ^ hashText(prompt.toLowerCase()))
  const wanted = typeof input['duration'] === 'number' ? input['duration'] : 8
  const seconds = Math.min(LONGEST_SECONDS, Math.max(1.5, wanted))
  const mood = moodOf(prompt.toLowerCase(), random)
  const frames = Math.round(seconds * RATE)
  const mix: Mix = { left: new Float32Array(frames), right: new Float32Array(frames) }
  for (const note of score(mood, seconds, random)) play(mix, note, mood.bright)
  finish(mix)
  return {
    files: [{ name: 'output.wav', contentType: 'audio/wav', bytes: encodeWav([mix.left, mix.right], RATE) }],
    pieces: [],
    logs: [
      `Seed ${seed}`,
      `${Math.round(mood.beatsPerMinute)} bpm, ${mood.mode === MAJOR ? 'major' : 'minor'}, ${seconds} s`,
    ],
  }
}

function moodOf(prompt: string, random: Random): Mood {
  const says = (words: RegExp): boolean => words.test(prompt)
  const slow = says(/calm|slow|ambient|sleep|soft|sad|rain|lullaby|meditat|gentle/)
  const fast = says(/upbeat|fast|energetic|dance|techno|rock|drum|groove|happy|electronic/)
  const minor = says(/sad|dark|minor|rain|night|melanchol|mystery|winter|techno/)
  const asked = Number(/(\d{2,3})\s*bpm/.exec(prompt)?.[1])
  const guessed = between(random, slow ? 62 : fast ? 116 : 84, slow ? 78 : fast ? 132 : 104)
  return {
    beatsPerMinute: asked >= 40 && asked <= 220 ? asked : guessed,
    mode: minor || (!fast && random() < 0.35) ? MINOR : MAJOR,
    root: 48 + Math.floor(random() * 8),
    bright: slow ? 0.18 : fast ? 0.5 : 0.32,
  }
}

/** Chords and bass in each bar, and a melody whose strong beats rest on the chord. */
function score(mood: Mood, seconds: number, random: Random): Note[] {
  const beat = 60 / mood.beatsPerMinute
  const chords = pick(random, mood.mode.chords)
  const pitch = (step: number, octave = 0): number =>
    mood.root + 12 * (octave + Math.floor(step / 7)) + (mood.mode.scale[((step % 7) + 7) % 7] ?? 0)
  const notes: Note[] = []
  let step = 7
  for (let bar = 0; bar * 4 * beat < seconds; bar += 1) {
    const at = bar * 4 * beat
    const chord = chords[bar % chords.length] ?? 0
    for (const interval of [0, 2, 4]) {
      notes.push({ at, seconds: beat * 4.2, pitch: pitch(chord + interval), level: 0.11, side: interval * 0.2 - 0.4 })
    }
    for (const half of [0, 2]) {
      notes.push({ at: at + half * beat, seconds: beat * 1.8, pitch: pitch(chord, -1), level: 0.2, side: 0 })
    }
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const isStrong = eighth % 4 === 0
      if (!isStrong && random() < 0.5) continue
      step = isStrong ? chord + 7 : Math.max(5, Math.min(16, step + pick(random, [-2, -1, -1, 1, 1, 2])))
      notes.push({ at: at + (eighth * beat) / 2, seconds: beat, pitch: pitch(step), level: 0.19, side: 0.25 })
    }
  }
  return notes
}

function play(mix: Mix, note: Note, bright: number): void {
  const from = Math.round(note.at * RATE)
  const to = Math.min(mix.left.length, from + Math.round(note.seconds * RATE))
  const turn = (2 * Math.PI * 440 * 2 ** ((note.pitch - 69) / 12)) / RATE
  for (let frame = from; frame < to; frame += 1) {
    const time = (frame - from) / RATE
    const left = (to - frame) / RATE
    const envelope = Math.min(1, time / ATTACK) * Math.exp((-3.2 / note.seconds) * time) * Math.min(1, left / 0.03)
    const phase = turn * (frame - from)
    const sample = (Math.sin(phase) + bright * Math.sin(2 * phase)) * envelope * note.level
    mix.left[frame] = (mix.left[frame] ?? 0) + sample * (1 - note.side)
    mix.right[frame] = (mix.right[frame] ?? 0) + sample * (1 + note.side)
  }
}

/** Scales the loudest sample to 0.85 and fades the end out. */
function finish(mix: Mix): void {
  let peak = 0.001
  for (const side of [mix.left, mix.right]) for (const sample of side) peak = Math.max(peak, Math.abs(sample))
  const fade = Math.min(mix.left.length / 4, RATE * 1.5)
  for (const side of [mix.left, mix.right]) {
    for (let frame = 0; frame < side.length; frame += 1) {
      side[frame] = ((side[frame] ?? 0) / peak) * 0.85 * Math.min(1, (side.length - frame) / fade)
    }
  }
}
