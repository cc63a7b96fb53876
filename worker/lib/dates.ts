/** The time `ms` milliseconds later. */
export const after = (date: Date, ms: number): Date => new Date(date.getTime() + ms)
