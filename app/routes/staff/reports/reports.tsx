import { href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { reports } from '#app/features/reports/reports.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/reports';

export function loader({ context }: Route.LoaderArgs) {
  staffFor(context, 'reports:read');
  return { reports: reports.map(({ slug, title, about }) => ({ slug, title, about })) };
}

export const meta = () => staffMeta('Reports');

export default function Reports({ loaderData: { reports } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Reports" beside="Each says what it counts, and is also a file." />
      <ul className="max-w-3xl border-t border-rule">
        {[...reports, bas].map(
          ({ to, slug, title, about }: { to?: string; slug: string; title: string; about: string }) => (
            <li key={slug} className="border-b border-line py-2">
              <TextLink to={to ?? href('/staff/reports/:report', { report: slug })}>{title}</TextLink>
              <p className="text-mute">{about}</p>
            </li>
          ),
        )}
      </ul>
    </>
  );
}

const bas = {
  to: href('/staff/money/bas'),
  slug: 'bas',
  title: 'BAS figures',
  about: 'Sales, GST and adjustments of a quarter, on accruals or cash.',
};
