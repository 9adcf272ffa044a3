import { data } from 'react-router';
import { emailReaderContext, readEmailSource } from '#app/features/inbox/email/read.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import type { Route } from './+types/enquiry-file';

/** A file that came with an email, by its number from 1 on, or the email as it came: always to download (P81). */
export async function loader({ context, params: { reference, file } }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, 'enquiries:read');
  const source = await unlessDatabaseAway(() => readEmailSource(context.get(academyContext).db, actor, reference));
  if (!source) throw missing();
  if (file === 'email.eml') return download(new Uint8Array(source), `${reference}.eml`);
  if (!/^[1-9]\d{0,3}$/.test(file)) throw missing();
  const found = await context.get(emailReaderContext).do({ kind: 'file', source, number: Number(file) - 1 });
  if (!found) throw missing();
  return download(found.content, found.name);
}

const missing = () => data('There is no such file. The message may have been deleted.', { status: 404 });

/** Whatever a stranger sent: never shown by the browser, and its type is not believed. */
const download = (content: Uint8Array<ArrayBuffer>, name: string) =>
  new Response(content, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}"; filename*=UTF-8''${encodeURIComponent(name.replaceAll(/[\\/]/g, '-')).replaceAll("'", '%27')}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'no-store',
    },
  });
