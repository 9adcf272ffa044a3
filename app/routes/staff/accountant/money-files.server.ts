import { href } from 'react-router';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { takeAccountantFile } from '#app/features/money/accountant/files.server.ts';
import { xeroColumns } from '#app/features/money/accountant/xero.ts';
import { numberOf } from '#app/features/money/document-numbers.server.ts';
import { lastDay, periodIn, periodQuery } from '#app/features/reports/period.ts';
import { readReport, reportAt } from '#app/features/reports/reports.server.ts';
import { everyFigureRow, type FigureRow, isRowKind } from '#app/features/reports/rows.server.ts';
import { momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { byteOrderMark, csvLine } from '#app/lib/csv-cell.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { type CsvFiles, csvFile, csvResponse, notFound } from '#app/routes/staff/lists/csv-file.server.ts';
import { cellInFile } from '#app/routes/staff/reports/cell-text.ts';

/** The files of figures: of reports, of the rows behind them, and for the accountant (P83). */
export const moneyFiles: CsvFiles = {
  /** All money that came in and all refunds of some days, as the lines of a bank statement in Xero's template. */
  cash: {
    needs: 'money:export',
    async read({ academy, actor, params }) {
      const period = periodIn(params, momentOf(academy).today);
      return csvFile<FigureRow>(academy, actor, {
        list: 'money',
        columns: {
          '*Date': ({ day }) => day.split('-').toReversed().join('/'),
          // What left is below zero.
          '*Amount': ({ cents }) => ({ cents }),
          Payee: ({ who }) => who,
          Description: ({ cents, name }) => `${cents < 0 ? 'Refund' : 'Received'}, ${name}`,
          Reference: ({ enrolment }) => enrolment ?? 'not matched',
        },
        pieces: everyFigureRow(academy.db, actor, { kind: 'cash', period }),
        filters: periodQuery(period),
      });
    },
  },

  /** The rows behind a figure, all of them; `kind` names which. */
  'money-rows': {
    needs: 'money:export',
    async read({ academy, actor, params }) {
      const kind = params.get('kind') ?? '';
      if (!isRowKind(kind)) return notFound();
      const period = periodIn(params, momentOf(academy).today);
      return csvFile<FigureRow>(academy, actor, {
        list: `money-${kind}`,
        columns: {
          Day: ({ day }) => day,
          'Document or way of payment': ({ name }) => name,
          Buyer: ({ who }) => who,
          Enrolment: ({ enrolment }) => enrolment,
          'Amount AUD including GST': ({ cents }) => ({ cents }),
          'GST AUD': ({ gstCents }) => (gstCents === null ? null : { cents: gstCents }),
        },
        pieces: everyFigureRow(academy.db, actor, { kind, period }),
        filters: periodQuery(period),
      });
    },
  },

  /** The table of the report that `report` names; it names no person. */
  report: {
    needs: 'reports:read',
    async read({ academy, actor, params }) {
      const report = reportAt(params.get('report') ?? '');
      if (!report) return notFound();
      const { now, today } = momentOf(academy);
      const period = periodIn(params, today);
      const { columns, rows } = await unlessDatabaseAway(() => readReport(academy.db, actor, { report, period, now }));
      const lines = rows.map((row) => row.map((cell, at) => cellInFile(columns[at]?.kind ?? 'text', cell)));
      const text = [columns.map(({ head }) => head), ...lines].map((line) => csvLine(line)).join('');
      return csvResponse(byteOrderMark + text, `${report.slug}-${period.from}-to-${lastDay(period)}`);
    },
  },

  /**
   * A file for Xero; `id` names it. It is given a second time only when asked for again, and its name says so. A HEAD,
   * which programs send before they download, takes nothing.
   */
  xero: {
    needs: 'money:export',
    async read({ academy: { db, clock }, actor, params, headOnly }) {
      if (headOnly) return csvResponse(null, 'xero');
      const given = params.get('id') ?? '';
      const id = /^\d{1,15}$/.test(given) ? Number(given) : 0;
      const at = clock.now();
      const again = params.get('again') === '1';
      const file = await unlessDatabaseAway(() =>
        db.transaction().execute(async (trx) => {
          const taken = await takeAccountantFile(trx, { id, again, actor, at });
          if (taken?.ok) {
            const entry = { action: 'take-accountant-file', details: { rows: taken.rows.length } };
            await writeAuditEntry(trx, { at, personId: actor.person.id, subject: `accountant-file:${id}`, ...entry });
          }
          return taken;
        }),
      );
      if (!file) return notFound();
      if (!file.ok) return takenBefore(file.takenAt);
      const name = `xero-${numberOf(file.kind, file.first)}-to-${numberOf(file.kind, file.last)}${file.isAgain ? '-again' : ''}`;
      // Without a byte order mark: Xero compares the head of the first column.
      return csvResponse([xeroColumns, ...file.rows].map((cells) => csvLine(cells)).join(''), name);
    },
  },
};

function takenBefore(at: Date): Response {
  const path = href('/staff/money/accountant');
  const text = `This file was downloaded on ${formatMoment(at)}. If it was imported, importing it again would enter every document twice. To download it again, use “Download again” at ${path}.`;
  const back = { path, text: 'Return to the files for the accountant' };
  return plainPage(409, 'Downloaded before', text, {}, [], undefined, back);
}
