import { data, href, Link } from 'react-router';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { listMail, localMailContext } from '#app/outbox/local-mail.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/mail';
import { NotFound } from './frame/not-found.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const db = context.get(localMailContext);
  return db ? await unlessDatabaseAway(() => listMail(db)) : data(null, { status: 404 });
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  at.loaderData
    ? pageMeta(at, 'Mail', 'Emails that would have been sent.', noPage)
    : pageMeta(at, 'Page not found', 'There is no page at this address.', noPage);

const states: Record<string, string> = {
  queued: 'being written',
  sent: 'written',
  failed: 'failed',
  dropped: 'dropped',
};

export default function Mail({ loaderData: mails }: Route.ComponentProps) {
  if (!mails) return <NotFound />;
  return (
    <>
      <PageHead
        title="Mail"
        lead="No mail server is set up, so emails are kept here. Only this computer can see them, and anyone with the link that is printed at the start."
      />
      <div className="page py-12 lg:py-16">
        {mails.length === 0 && <p>No emails yet. Send a form, then reload this page.</p>}
        <ul className="grid max-w-3xl gap-3">
          {mails.map(({ id, recipient, subject, state, queued_at }) => (
            <li key={id} className="rounded-card border border-line bg-card p-5">
              <Link
                to={href('/mail/:mailId', { mailId: id })}
                className="font-bold text-link underline underline-offset-4 wrap-anywhere"
              >
                {subject}
              </Link>
              <p className="mt-1 text-mute wrap-anywhere">
                To {recipient}, {queued_at.toISOString().slice(0, 16).replace('T', ' ')} UTC, {states[state]}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
