import { defineModel } from './define-model.ts'
import { claudeHaikuInput, claudeSonnetInput, gptInput, llamaInput } from './inputs/text.ts'

const task = 'text-to-text'

export const textModels = [
  defineModel({
    id: 'meta/meta-llama-3-8b-instruct',
    name: 'Llama 3 8B Instruct',
    publishedOn: '2024-04-18',
    task,
    tier: 'free',
    description: 'Small language model for short answers, summaries and drafts.',
    input: llamaInput,
    examples: [
      { prompt: 'Explain in two sentences why the sea looks blue.' },
      { prompt: 'Write the opening of a story about a lighthouse keeper.', max_tokens: 300 },
    ],
  }),
  defineModel({
    id: 'openai/gpt-4o-mini',
    name: 'GPT-4o mini',
    publishedOn: '2024-07-18',
    task,
    tier: 'standard',
    deprecatedAt: '2027-01-14T00:00:00.000Z',
    replacedBy: 'anthropic/claude-4.5-haiku',
    description: 'Mid-size language model, quick and good at following instructions.',
    input: gptInput,
    examples: [{ prompt: 'Give me five names for a bakery in a harbour town.', system_prompt: 'Answer as a list.' }],
  }),
  defineModel({
    id: 'anthropic/claude-4.5-haiku',
    name: 'Claude 4.5 Haiku',
    publishedOn: '2025-10-15',
    task,
    tier: 'standard',
    description: 'Fast mid-size language model for writing, code and analysis.',
    input: claudeHaikuInput,
    examples: [{ prompt: 'Summarise the water cycle for a ten-year-old.' }],
  }),
  defineModel({
    id: 'meta/meta-llama-3-70b-instruct',
    name: 'Llama 3 70B Instruct',
    publishedOn: '2024-04-18',
    task,
    tier: 'premium',
    description: 'Large open language model for longer and harder questions.',
    input: llamaInput,
    examples: [{ prompt: 'Compare tidal power and wind power in a short table.' }],
  }),
  defineModel({
    id: 'anthropic/claude-4.5-sonnet',
    name: 'Claude Sonnet 4.5',
    publishedOn: '2025-09-29',
    task,
    tier: 'premium',
    description: 'Large language model for careful reasoning, long texts and code.',
    input: claudeSonnetInput,
    examples: [{ prompt: 'Write a checklist for moving a small database to a new server.' }],
  }),
  defineModel({
    id: 'anthropic/claude-4-sonnet',
    name: 'Claude Sonnet 4',
    publishedOn: '2025-05-22',
    task,
    tier: 'premium',
    deprecatedAt: '2026-06-15T00:00:00.000Z',
    replacedBy: 'anthropic/claude-4.5-sonnet',
    description: 'Retired by its maker. Large language model for reasoning, long texts and code.',
    input: claudeSonnetInput,
    examples: [{ prompt: 'Write a checklist for moving a small database to a new server.' }],
  }),
]
