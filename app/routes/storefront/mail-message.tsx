import { data, href, Link } from 'react-router';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { localMailContext, readMail } from '#app/outbox/local-mail.server.ts';
import { privateLinksContext } from '#app/outbox/private-links.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/mail-message';
import { NotFound } from './frame/not-found.tsx';

export async function loader({ context, params }: Route.LoaderArgs) {
  const db = context.get(localMailContext);
  const mail = db && (await unlessDatabaseAway(() => readMail(db, context.get(privateLinksContext), params.mailId)));
  if (!mail) return data(null, { status: 404 });
  const { id, subject, recipient, reply_to, text, headers: more, calendar } = mail;
  const erased = text === '';
  return { id, subject, recipient, replyTo: reply_to, text: linked(text), erased, headers: more, calendar };
}

/** Splits text at its web addresses, so that they can be followed. */
function linked(text: string): { text: string; isLink: boolean }[] {
  return text.split(/(https?:\/\/\S+)/).map((part, at) => ({ text: part, isLink: at % 2 === 1 }));
}

export function headers() {
  return { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  at.loaderData
    ? pageMeta(at, at.loaderData.subject, 'An email that would have been sent.', noPage)
    : pageMeta(at, 'Page not found', 'There is no page at this address.', noPage);

export default function MailMessage({ loaderData: mail }: Route.ComponentProps) {
  if (!mail) return <NotFound />;
  return (
    <>
      <PageHead title={mail.subject} lead={`To ${mail.recipient}`} />
      <div className="page py-12 lg:py-16">
        <div className="mb-6 flex flex-wrap gap-3">
          <a href={href('/mail/:mailId/html', { mailId: mail.id })} className={button.primary}>
            See it as HTML
          </a>
          <Link to={href('/mail')} className={button.quiet}>
            All mail
          </Link>
        </div>
        {mail.replyTo && <p className="text-mute wrap-anywhere">Reply-To: {mail.replyTo}</p>}
        {Object.entries(mail.headers).map(([name, value]) => (
          <p key={name} className="text-mute wrap-anywhere">
            {name}: {value}
          </p>
        ))}
        <div className="mt-4 max-w-3xl rounded-card border border-line bg-card p-5 whitespace-pre-wrap wrap-anywhere sm:p-6">
          {mail.erased && 'The link in this email has expired, so we deleted what it said.'}
          {mail.text.map(({ text, isLink }) =>
            isLink ? (
              <a key={text} href={text} className="text-link underline underline-offset-4">
                {text}
              </a>
            ) : (
              text
            ),
          )}
        </div>
        {mail.calendar && (
          <>
            <h2 className="mt-8 text-2xl">Calendar part ({mail.calendar.method})</h2>
            <pre className="mt-3 max-w-3xl overflow-x-auto rounded-card border border-line bg-card p-5 text-sm">
              {mail.calendar.content}
            </pre>
          </>
        )}
      </div>
    </>
  );
}
