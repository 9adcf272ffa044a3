import { href } from 'react-router';
import type { AccountRecords } from '#app/features/enrolments/account.server.ts';
import { formatMoney } from '#app/lib/money.ts';
import { shortDay } from '#app/lib/short-dates.ts';

/** The latest twelve invoices and notes of everything the player bought. */
export const documentsOf = ({ bought }: AccountRecords) =>
  bought
    .flatMap(({ enrolment, money, token }) =>
      money.documents.map((document) => {
        const open = money.open.find(({ number }) => number === document.number);
        return {
          key: document.document,
          number: document.number,
          title: enrolment.title,
          issuedOn: document.issuedOn,
          amount: `${document.kind === 'adjustment-note' ? '−' : ''}${formatMoney(document.totalCents)}`,
          state:
            document.kind === 'adjustment-note'
              ? `Adjustment note, ${shortDay(document.issuedOn)}`
              : open?.dueOn
                ? `Due ${shortDay(open.dueOn)}`
                : open
                  ? 'Not due yet'
                  : document.cancelledBy
                    ? `Cancelled by ${document.cancelledBy}`
                    : 'Paid',
          file: href('/enrolment/:token/document/:file', { token, file: `${document.number.toLowerCase()}.pdf` }),
        };
      }),
    )
    .sort((a, b) => (a.issuedOn < b.issuedOn ? 1 : -1))
    .slice(0, 12);
