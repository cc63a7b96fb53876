import { defineModel } from './define-model.ts'
import {
  barkInput,
  kokoroInput,
  lyriaInput,
  minimaxSpeechInput,
  musicGenInput,
  stableAudioInput,
} from './inputs/sound.ts'

const task = 'text-to-sound'

export const soundModels = [
  defineModel({
    id: 'suno-ai/bark',
    version: 'b76242b40d67c76ab6742e987628a2a9ac019e11d56ab96c4e91ce03b79b2787',
    name: 'Bark',
    task,
    tier: 'free',
    description: 'Lively speech of up to 13 seconds, with laughter and sighs where the text asks for them.',
    input: barkInput,
    examples: [{ prompt: 'Good morning. The ferry to the island leaves in ten minutes.' }],
  }),
  defineModel({
    id: 'jaaari/kokoro-82m',
    version: 'f559560eb822dc509045f3921a1921234918b91739db4bf3daab2169b71c7a13',
    name: 'Kokoro 82M',
    task,
    tier: 'free',
    description: 'Small, quick and clear text-to-speech in American and British voices.',
    promptField: 'text',
    input: kokoroInput,
    examples: [{ text: 'Welcome aboard. Please keep your ticket until the end of the journey.', voice: 'bf_emma' }],
  }),
  defineModel({
    id: 'meta/musicgen',
    version: '671ac645ce5e552cc63a54a2bbff63fcf798043055d2dac5fc9e36a837eedcfb',
    name: 'MusicGen',
    task,
    tier: 'standard',
    description: 'Instrumental music from a description, up to 30 seconds in stereo.',
    input: musicGenInput,
    examples: [{ prompt: 'calm piano and soft strings, slow, rainy evening', duration: 8 }],
  }),
  defineModel({
    id: 'minimax/speech-02-turbo',
    name: 'Speech 02 Turbo',
    task,
    tier: 'standard',
    description: 'Natural speech in many voices, with emotion, pitch and speed to choose.',
    promptField: 'text',
    input: minimaxSpeechInput,
    examples: [{ text: 'The museum closes in half an hour.', voice_id: 'Calm_Woman' }],
  }),
  defineModel({
    id: 'google/lyria-2',
    name: 'Lyria 2',
    task,
    tier: 'premium',
    description: 'Instrumental music in high quality, 30 seconds at 48 kHz.',
    input: lyriaInput,
    examples: [{ prompt: 'acoustic guitar folk tune, warm, walking pace', negative_prompt: 'drums' }],
  }),
  defineModel({
    id: 'stability-ai/stable-audio-2.5',
    name: 'Stable Audio 2.5',
    task,
    tier: 'premium',
    description: 'Music and sound design in high quality, up to two minutes.',
    input: stableAudioInput,
    examples: [{ prompt: 'upbeat electronic groove, bright synths, 120 bpm', duration: 20 }],
  }),
]
