import type { EngineResult } from '../provider/types.ts'
import { between, createRandom, hashText, pick, type Random } from './random.ts'
import { encodeWav } from './wav.ts'

const RATE = 44_100
const LONGEST_SECONDS = 120

/** Semitones from the root of seven-step scales, and chord roots (steps of the scale) that sound well in them. */
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
  drums: boolean
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
  /** Strength of the overtones, 0 to 1. */
  bright: number
  attack: number
}

/** A tune from the words of the prompt and the seed: chords, bass, melody, drums where they fit; 44.1 kHz stereo WAV. */
export function compose(prompt: string, input: Record<string, unknown>, seed: number): EngineResult {
  const random = createRandom(seed ^ hashText(prompt.toLowerCase()))
  const wanted = typeof input['duration'] === 'number' ? input['duration'] : 8
  const seconds = Math.min(LONGEST_SECONDS, Math.max(1.5, wanted))
  const mood = moodOf(prompt.toLowerCase(), random)
  const frames = Math.round(seconds * RATE)
  const mix: Mix = { left: new Float32Array(frames), right: new Float32Array(frames) }
  for (const note of score(mood, seconds, random)) play(mix, note)
  if (mood.drums) drum(mix, mood.beatsPerMinute, random)
  echo(mix, 60 / mood.beatsPerMinute)
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
  const told = Number(/(\d{2,3})\s*bpm/.exec(prompt)?.[1])
  const guessed = between(random, slow ? 62 : fast ? 116 : 84, slow ? 78 : fast ? 132 : 104)
  return {
    beatsPerMinute: told >= 40 && told <= 220 ? told : guessed,
    mode: minor || (!fast && random() < 0.35) ? MINOR : MAJOR,
    root: 48 + Math.floor(random() * 8),
    drums: fast && !says(/no drums|without drums/),
    bright: slow ? 0.18 : fast ? 0.5 : 0.32,
  }
}

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
    for (const [voice, interval] of [0, 2, 4].entries()) {
      notes.push({
        at,
        seconds: beat * 4.2,
        pitch: pitch(chord + interval),
        level: 0.11,
        side: voice * 0.4 - 0.4,
        bright: mood.bright * 0.5,
        attack: 0.09,
      })
    }
    for (const half of [0, 2]) {
      notes.push({
        at: at + half * beat,
        seconds: beat * 1.8,
        pitch: pitch(chord, -1),
        level: 0.2,
        side: 0,
        bright: 0.15,
        attack: 0.01,
      })
    }
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const strong = eighth % 4 === 0
      if (!strong && random() < (eighth % 2 === 0 ? 0.35 : 0.62)) continue
      // Strong beats rest on the chord, the others walk: that is most of what makes a line sound meant.
      step = strong ? nearest(step, chord) : Math.max(5, Math.min(16, step + pick(random, [-2, -1, -1, 1, 1, 2])))
      notes.push({
        at: at + (eighth * beat) / 2,
        seconds: beat * between(random, 0.6, 1.3),
        pitch: pitch(step),
        level: 0.19,
        side: 0.25,
        bright: mood.bright,
        attack: 0.012,
      })
    }
  }
  return notes
}

/** The chord tone that lies nearest to the step. */
function nearest(step: number, chord: number): number {
  const tones = [0, 2, 4, 7, 9, 11, 14].map((interval) => chord + interval)
  return tones.reduce((best, tone) => (Math.abs(tone - step) < Math.abs(best - step) ? tone : best))
}

function play(mix: Mix, note: Note): void {
  const from = Math.round(note.at * RATE)
  const to = Math.min(mix.left.length, from + Math.round(note.seconds * RATE))
  const turn = (2 * Math.PI * 440 * 2 ** ((note.pitch - 69) / 12)) / RATE
  const decay = 3.2 / note.seconds
  for (let frame = from; frame < to; frame += 1) {
    const time = (frame - from) / RATE
    const left = (to - frame) / RATE
    const envelope = Math.min(1, time / note.attack) * Math.exp(-decay * time) * Math.min(1, left / 0.03)
    const phase = turn * (frame - from)
    const tone = Math.sin(phase) + note.bright * (Math.sin(2 * phase) * 0.6 + Math.sin(3 * phase) * 0.35)
    const sample = tone * envelope * note.level
    mix.left[frame] = (mix.left[frame] ?? 0) + sample * (1 - note.side) * 0.7
    mix.right[frame] = (mix.right[frame] ?? 0) + sample * (1 + note.side) * 0.7
  }
}

function drum(mix: Mix, beatsPerMinute: number, random: Random): void {
  const half = (30 / beatsPerMinute) * RATE
  for (let hit = 0; hit * half < mix.left.length; hit += 1) {
    const kick = hit % 2 === 0
    for (let index = 0; index < RATE * (kick ? 0.18 : 0.05); index += 1) {
      const frame = Math.round(hit * half) + index
      if (frame >= mix.left.length) break
      const time = index / RATE
      const sample = kick
        ? Math.sin(2 * Math.PI * (45 * time + 3 * (1 - Math.exp(-30 * time)))) * Math.exp(-18 * time) * 0.4
        : (random() - 0.5) * Math.exp(-70 * time) * 0.16
      mix.left[frame] = (mix.left[frame] ?? 0) + sample
      mix.right[frame] = (mix.right[frame] ?? 0) + sample
    }
  }
}

/** One quiet repeat on the other side gives the room. */
function echo(mix: Mix, beat: number): void {
  const delay = Math.round(beat * 0.75 * RATE)
  for (let frame = delay; frame < mix.left.length; frame += 1) {
    mix.left[frame] = (mix.left[frame] ?? 0) + (mix.right[frame - delay] ?? 0) * 0.22
    mix.right[frame] = (mix.right[frame] ?? 0) + (mix.left[frame - delay] ?? 0) * 0.18
  }
}

/** Brings the loudest sample to 0.85 and fades the end out. */
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
