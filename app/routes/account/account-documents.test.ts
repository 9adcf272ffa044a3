import { expect, test } from 'vitest';
import { documentsOf } from './account.tsx';

test('P56: an adjustment note takes from what was invoiced, so its amount is below zero', () => {
  const documents = [
    { document: 1, number: 'INV-00001', kind: 'tax-invoice', issuedOn: '2026-11-01', totalCents: 229_900 },
    { document: 2, number: 'ADJ-00001', kind: 'adjustment-note', issuedOn: '2026-11-02', totalCents: 114_950 },
  ];
  const bought = [{ token: 'b0', enrolment: { title: 'CCNA' }, money: { documents, open: [] } }];
  const shown = documentsOf({ bought } as unknown as Parameters<typeof documentsOf>[0]);
  expect(shown.map(({ number, amount, state }) => [number, amount, state])).toEqual([
    ['ADJ-00001', '−AU$1,149.50', 'Adjustment note, Mon 2 Nov'],
    ['INV-00001', 'AU$2,299', 'Paid'],
  ]);
});
