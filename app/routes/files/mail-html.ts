import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { localMailContext, readMail } from '#app/outbox/local-mail.server.ts';
import { privateLinksContext } from '#app/outbox/private-links.server.ts';
import type { Route } from './+types/mail-html';

/** Styles are in the elements of a mail, which no page of ours may do; there is nothing else in it. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The HTML form of a mail, as a document of its own. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const db = context.get(localMailContext);
  const mail = db && (await unlessDatabaseAway(() => readMail(db, context.get(privateLinksContext), params.mailId)));
  if (!mail) return new Response('Not found\n', { status: 404, headers: { 'Content-Type': 'text/plain' } });
  return new Response(mail.html, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
    },
  });
}
