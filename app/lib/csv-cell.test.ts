import { expect, test } from 'vitest';
import { csvLine } from './csv-cell.ts';

test('no cell is taken for a formula, and numbers stay numbers', () => {
  expect(csvLine(['=1+1', '+61 7', '-2', '@SUM(A1)', '\t=1', '\r=1', '＝1', ' =1'])).toBe(
    `"'=1+1","'+61 7","'-2","'@SUM(A1)","'\t=1","'\\u000d=1","'＝1","' =1"\r\n`,
  );
  expect(csvLine(['a "b", c', null, -12.5, 0, 'one\ntwo'])).toBe('"a ""b"", c","",-12.5,0,"one\ntwo"\r\n');
});
