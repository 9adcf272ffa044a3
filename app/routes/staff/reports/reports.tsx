import { href, Link } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { readHeadlines } from '#app/features/reports/headlines.server.ts';
import { reports } from '#app/features/reports/reports.server.ts';
import { academyContext, momentOf } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { Sparkline } from '#app/ui/staff/bar-chart.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/reports';
import { cellText } from './cell-text.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'reports:read');
  const academy = context.get(academyContext);
  const headlines = await unlessDatabaseAway(() => readHeadlines(academy.db, actor, momentOf(academy).now));
  return {
    headlines: headlines.map(({ title, of, kind, value, before, series, slug }) => ({
      ...{ title, of, series },
      to: slug === '' ? href('/staff/owed') : href('/staff/reports/:report', { report: slug }),
      value: value === null ? 'None' : `${kind === 'money' ? 'AU$' : ''}${cellText(kind, value)}`,
      before: before && `${cellText(kind, before.value)} ${before.of}`,
    })),
    reports: reports.map(({ slug, title, about }) => ({
      to: href('/staff/reports/:report', { report: slug }),
      title,
      about,
    })),
  };
}

export const meta = () => staffMeta('Reports');

export default function Reports({ loaderData: { headlines, reports } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Reports" beside="How we are doing. Weeks are whole ones, to last Sunday." />
      <ul className="mb-8 grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {headlines.map(({ title, of, value, before, series, to }) => (
          <li key={title} className="relative flex items-end justify-between gap-4 bg-card p-5 hover:bg-hover">
            <div>
              <Link to={to} className="font-semibold after:absolute after:inset-0">
                {title}
              </Link>{' '}
              <span className="text-sm text-mute">{of}</span>
              <p className="tabular mt-1 font-display text-2xl font-bold">{value}</p>
              <p className="tabular text-sm text-mute">{before ?? 'Nothing to compare with'}</p>
            </div>
            {series.length > 0 && <Sparkline values={series} />}
          </li>
        ))}
      </ul>
      <Section title="All reports" beside="Each says what it counts, and is also a file.">
        <ul className="gap-x-12 lg:columns-2">
          {[...reports, bas].map(({ to, title, about }) => (
            <li key={to} className="break-inside-avoid border-b border-line py-2">
              <TextLink to={to}>{title}</TextLink>
              <p className="text-sm text-mute">{about}</p>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

const bas = {
  to: href('/staff/money/bas'),
  title: 'BAS figures',
  about: 'Sales, GST and adjustments of a quarter, on accruals or cash.',
};
