import { href, Link } from 'react-router';
import { type StatusPart, statusContext, statusHeaders } from '#app/http/status.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { localMailContext } from '#app/outbox/local-mail.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { button } from '#app/ui/button.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/status';

/** How the service is doing (P94), also while the database is away. */
export async function loader({ context }: Route.LoaderArgs) {
  const parts = await context.get(statusContext)();
  return {
    local: context.get(localMailContext) !== null,
    parts: parts.map(({ since, checkedAt, ...part }) => ({
      ...part,
      since: since && formatMoment(since),
      checked: { iso: checkedAt.toISOString(), text: formatMoment(checkedAt) },
    })),
  };
}

export function headers() {
  return statusHeaders;
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Status', 'Whether this site, enrolling and our email work at the moment.', noPage);

const titles: Record<StatusPart['name'], string> = {
  pages: 'Pages of this site',
  database: 'Database',
  enrolling: 'Enrolling',
  email: 'Email',
  backup: 'Backup',
};
const words: Record<StatusPart['state'], string> = {
  works: 'Works',
  delayed: 'Delayed',
  down: 'Does not work',
  damaged: 'Damaged',
  unknown: 'Not known',
};
const notes: Record<StatusPart['name'], Partial<Record<StatusPart['state'], string>>> = {
  pages: {
    works: 'You are reading one now.',
    delayed: 'Pages may be out of date by a few minutes.',
  },
  database: {
    works: 'It saves what you send us.',
    down: 'We show the last known courses and dates. Forms keep what you typed.',
    damaged: 'Some of what it holds cannot be read. Please call us about anything urgent.',
  },
  enrolling: {
    works: 'You can hold and buy seats.',
    delayed:
      'You can fill in everything. We email the code that confirms your address as soon as our email works again.',
    down: 'Please try again in a few minutes, or call us.',
  },
  email: {
    works: 'Our mail server answers.',
    down: 'Our mail server does not answer. Emails are saved and go out as soon as it does.',
    unknown: 'We could not find out just now.',
  },
  backup: {
    works: 'We keep a copy of what you send us.',
    delayed: 'We are looking at our last copy of the database. Nothing that you sent us is lost.',
    unknown: 'The first copy is being made.',
  },
};

export default function Status({ loaderData: { parts, local } }: Route.ComponentProps) {
  // Visitors need no backup to go on.
  const well = parts.every(({ name, state }) => state === 'works' || name === 'backup');
  return (
    <>
      <PageHead
        title={well ? 'Everything works' : 'Not everything works right now'}
        lead="Checked just now. Reload this page to see the latest."
      />
      <div className="page py-10 lg:py-14">
        <ul className="max-w-3xl overflow-hidden rounded-card border border-line bg-card">
          {parts.map(({ name, state, since, checked }) => (
            <li key={name} className="border-b border-line px-5 py-4 last:border-b-0">
              <h2 className="text-xl">
                {titles[name]}: {words[state]}
                {since && ` since ${since}`}
              </h2>
              <p className="mt-1 max-w-prose">
                {name === 'email' && local ? 'No mail server is set up. Emails are kept here.' : notes[name][state]}
              </p>
              <p className="tabular mt-1 text-sm text-mute">
                Checked <time dateTime={checked.iso}>{checked.text}</time>, Brisbane time
              </p>
            </li>
          ))}
        </ul>
        <div className="no-print mt-8">
          <Link to={href('/contact')} className={button.quiet}>
            Contact us
          </Link>
        </div>
      </div>
    </>
  );
}
