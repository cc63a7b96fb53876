export const TASKS = ['text-to-image', 'text-to-text', 'text-to-sound'] as const
export type Task = (typeof TASKS)[number]
export const TIERS = ['free', 'standard', 'premium'] as const
export type Tier = (typeof TIERS)[number]
