import { formatAbn } from '#app/lib/abn.ts';
import { payerFields, readPayer } from './schema.ts';
import type { ReviewedRow, StepForm } from './step-form.ts';

/** Who buys, and who pays (P30). */
export const payerStep: StepForm = {
  fields: () => payerFields,
  isComplete: ({ payer }) => payer !== null,
  take(_trx, _academy, { values, refuse }) {
    const read = readPayer(values);
    return read.ok ? null : refuse(400, { errors: read.errors });
  },
  reviewed({ payer: read }) {
    if (!read) return [];
    const { buyer, payer } = read;
    const organisation = payer.kind === 'organisation' ? payer : null;
    const rows: [string, string | null | undefined][] = [
      ['Name', buyer.name],
      ['Email', buyer.email],
      ['Phone', buyer.phone],
      ['Organisation', organisation?.organisation],
      ['ABN', organisation?.abn && formatAbn(organisation.abn)],
      ['Purchase order', organisation?.purchaseOrder],
      ['Invoice copy to', organisation?.accountsEmail],
      ['Postal address', payer.address],
    ];
    return rows.flatMap(([name, value]): ReviewedRow[] => (value ? [[name, value]] : []));
  },
};
