import { href } from 'react-router';
import { writeAuditEntry } from '#app/audit/write-entry.server.ts';
import { takeAccountantFile } from '#app/features/money/accountant/files.server.ts';
import { xeroColumns } from '#app/features/money/accountant/xero.ts';
import { numberOf } from '#app/features/money/document-numbers.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { plainPage } from '#app/http/plain-page.server.ts';
import { csvLine } from '#app/lib/csv-cell.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import type { Route } from './+types/accountant-file';

/**
 * A file for Xero. It is given a second time only when asked for again, and its name says so. A HEAD, which programs send
 * before they download, takes nothing.
 */
export async function loader({ context, params, request, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'money:export');
  if (request.method === 'HEAD') return new Response(null, { headers });
  const { db, clock } = context.get(academyContext);
  const id = /^\d{1,15}$/.test(params.id) ? Number(params.id) : 0;
  const at = clock.now();
  const again = url.searchParams.get('again') === '1';
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
  if (!file) return new Response('Not found\n', { status: 404 });
  if (!file.ok) {
    return plainPage(
      409,
      'Downloaded before',
      `This file was downloaded on ${formatMoment(file.takenAt)}. If it was imported, importing it again would enter every document twice. To download it again, use “Download again” at ${href('/staff/money/accountant')}.`,
      {},
      [],
      undefined,
      { path: href('/staff/money/accountant'), text: 'Return to the files for the accountant' },
    );
  }
  const name = `xero-${numberOf(file.kind, file.first)}-to-${numberOf(file.kind, file.last)}${file.isAgain ? '-again' : ''}`;
  // Without a byte order mark: Xero compares the head of the first column.
  return new Response([xeroColumns, ...file.rows].map((cells) => csvLine(cells)).join(''), {
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${name}.csv"` },
  });
}

const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Cache-Control': 'private, no-store' };
