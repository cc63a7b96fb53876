/**
 * OIDs of what both drivers hand on as PostgreSQL writes it: timestamps, dates, intervals and arrays of them, and `numeric[]`.
 * Their own parsers would read them in the machine's time zone, or as floats.
 */
export const TEXT_TYPES: ReadonlySet<number> = new Set([1082, 1114, 1115, 1182, 1184, 1185, 1186, 1187, 1231])
