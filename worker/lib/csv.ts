/** Spreadsheets take a cell that starts so for a formula, and run it. */
const FORMULA = /^[=+\-@\t\r\n|%＝＋－＠]/

/**
 * One line of CSV as RFC 4180 has it. A text that a spreadsheet would run as a formula gets an apostrophe before it, which
 * spreadsheets hide.
 *
 * @example csvLine(['a "b"', null, '=1+1']) // '"a ""b""",,\'=1+1\r\n'
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
