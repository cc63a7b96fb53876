import * as z from 'zod'
import { choice, decimal, integer, optionalText, promptSchema, seed } from './fields.ts'

const BARK_VOICES = [
  'announcer',
  'en_speaker_0',
  'en_speaker_1',
  'en_speaker_2',
  'en_speaker_3',
  'en_speaker_4',
  'en_speaker_5',
  'en_speaker_6',
  'en_speaker_7',
  'en_speaker_8',
  'en_speaker_9',
] as const

/** Bark produces about 13 seconds of speech and drops the rest. */
export const barkInput = () =>
  z.strictObject({
    prompt: promptSchema({ maxLength: 1_000, description: 'What is said; [laughs] and similar cues are acted out.' }),
    history_prompt: choice({ title: 'Voice', description: 'Who speaks.', values: BARK_VOICES }),
    text_temp: decimal({
      title: 'Text temperature',
      description: 'Higher is more varied.',
      min: 0,
      max: 1,
      default: 0.7,
    }),
    waveform_temp: decimal({
      title: 'Sound temperature',
      description: 'Higher is more varied.',
      min: 0,
      max: 1,
      default: 0.7,
    }),
  })

const spokenText = () => promptSchema({ title: 'Text', description: 'What is read aloud.', maxLength: 2_000 })

const speed = () =>
  decimal({ title: 'Speed', description: '1 is normal, 2 twice as fast.', min: 0.5, max: 2, default: 1 })

export const kokoroInput = () =>
  z.strictObject({
    text: spokenText(),
    voice: choice({
      title: 'Voice',
      description: 'First letter: American or British; second: female or male.',
      values: [
        'af_bella',
        'af_nicole',
        'af_sarah',
        'af_sky',
        'am_adam',
        'am_michael',
        'bf_emma',
        'bf_isabella',
        'bm_george',
        'bm_lewis',
      ],
    }),
    speed: speed(),
  })

const MINIMAX_VOICES = [
  'Wise_Woman',
  'Friendly_Person',
  'Inspirational_girl',
  'Deep_Voice_Man',
  'Calm_Woman',
  'Casual_Guy',
  'Lively_Girl',
  'Patient_Man',
  'Young_Knight',
  'Determined_Man',
  'Lovely_Girl',
  'Decent_Boy',
  'Imposing_Manner',
  'Elegant_Man',
  'Abbess',
  'Sweet_Girl_2',
  'Exuberant_Girl',
] as const

export const minimaxSpeechInput = () =>
  z.strictObject({
    text: spokenText(),
    voice_id: choice({ title: 'Voice', description: 'Who speaks.', values: MINIMAX_VOICES }),
    emotion: choice({
      title: 'Emotion',
      description: 'How it is said.',
      values: ['auto', 'happy', 'sad', 'angry', 'fearful', 'disgusted', 'surprised', 'neutral'],
    }),
    speed: speed(),
    volume: decimal({ title: 'Volume', description: '1 is normal.', min: 0.1, max: 10, default: 1 }),
    pitch: integer({ title: 'Pitch', description: 'Semitones up or down.', min: -12, max: 12, default: 0 }),
    audio_format: choice({ title: 'Format', description: 'Of the file.', values: ['mp3', 'wav', 'flac'] }),
  })

const musicPrompt = () => promptSchema({ description: 'Genre, mood, instruments, tempo.' })

const seconds = (range: { max: number; default: number }) =>
  integer({ title: 'Seconds', description: 'How long it lasts.', min: 1, ...range })

export const musicGenInput = () =>
  z.strictObject({
    prompt: musicPrompt(),
    duration: seconds({ max: 30, default: 8 }),
    model_version: choice({
      title: 'Variant',
      description: 'Which of the trained sizes.',
      values: ['stereo-large', 'large'],
    }),
    temperature: decimal({ title: 'Temperature', description: 'Higher is more varied.', min: 0.1, max: 2, default: 1 }),
    classifier_free_guidance: integer({
      title: 'Guidance',
      description: 'How close to the prompt.',
      min: 1,
      max: 10,
      default: 3,
    }),
    output_format: choice({ title: 'Format', description: 'Of the file.', values: ['wav', 'mp3'] }),
    seed: seed(),
  })

/** The model's own default, 190 seconds, is more than most want to pay for, so the default here is 30. */
export const stableAudioInput = () =>
  z.strictObject({
    prompt: musicPrompt(),
    duration: seconds({ max: 120, default: 30 }),
    steps: integer({ title: 'Steps', description: 'Diffusion steps.', min: 4, max: 8, default: 8 }),
    cfg_scale: decimal({ title: 'Guidance', description: 'How close to the prompt.', min: 1, max: 25, default: 1 }),
    seed: seed(),
  })

export const lyriaInput = () =>
  z.strictObject({
    prompt: musicPrompt(),
    negative_prompt: optionalText({
      title: 'Negative prompt',
      description: 'What should not be heard.',
      maxLength: 2_000,
    }),
    seed: seed(),
  })
