import { showControlCharacters } from './show-control-characters.ts';

/** Signs at which a spreadsheet takes a cell for a formula, in both widths, also behind what cannot be seen. */
const formula = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/** A quoted cell (RFC 4180) that no spreadsheet takes for a formula. */
export function csvCell(text: string): string {
  const safe = formula.test(text) || /^[\t\r]/.test(text) ? `'${text}` : text;
  return `"${showControlCharacters(safe).replaceAll('"', '""')}"`;
}
