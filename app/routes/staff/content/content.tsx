import { href } from 'react-router';
import { countRecords, listDrafts } from '#app/features/catalogue/site/content-list.server.ts';
import { kindInAddress } from '#app/features/content/form/kinds.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/content';

const mostDrafts = 50;

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'content:read');
  const { db } = context.get(academyContext);
  return unlessDatabaseAway(async () => ({
    kinds: await countRecords(db, actor),
    drafts: await listDrafts(db, actor, mostDrafts),
  }));
}

export const meta = () => staffMeta('Content');

export default function Content({ loaderData: { kinds, drafts } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Content" beside="What visitors read. Publish a change and they see it within a second." />
      <div className="grid items-start gap-x-16 gap-y-8 lg:grid-cols-2">
        <Section title="Kinds">
          <Table
            label="Kinds of content"
            minWidth="min-w-[26rem]"
            rows="work"
            head={[
              'Kind',
              { text: 'Published', right: true },
              { text: 'Drafts', right: true },
              { text: 'Scheduled', right: true },
              { text: 'Retired', right: true },
            ]}
          >
            {kinds.map(({ kind, many, live, drafts: kept, scheduled, retired }) => {
              const to = href('/staff/content/:kind', { kind: kindInAddress(kind) });
              return (
                <tr key={kind}>
                  <td>
                    <TextLink to={to}>{many}</TextLink>
                  </td>
                  <NumberCell>{live}</NumberCell>
                  <NumberCell>{kept > 0 && <TextLink to={`${to}?state=draft`}>{kept}</TextLink>}</NumberCell>
                  <NumberCell>
                    {scheduled > 0 && <TextLink to={`${to}?state=scheduled`}>{scheduled}</TextLink>}
                  </NumberCell>
                  <NumberCell>{retired > 0 && <TextLink to={`${to}?state=retired`}>{retired}</TextLink>}</NumberCell>
                </tr>
              );
            })}
          </Table>
        </Section>
        <Section title="Drafts" beside={drafts.length === mostDrafts ? `the latest ${mostDrafts}` : undefined}>
          {drafts.length === 0 && <Words>Nobody has a draft. Everything that was written is published.</Words>}
          <ul>
            {drafts.map(({ id, kind, title, one, by, kept, publishAt, faults }) => (
              <li key={id} className="border-b border-line py-1.5">
                <TextLink to={href('/staff/content/:kind/:id', { kind: kindInAddress(kind), id: String(id) })}>
                  {title}
                </TextLink>{' '}
                <span className="text-sm text-mute">
                  {one}, kept {kept} by {by}
                  {publishAt && <>, goes out {publishAt} in Brisbane</>}
                </span>
                {faults > 0 && (
                  <span className="text-sm font-semibold text-fault">
                    {' '}
                    {faults} {faults === 1 ? 'fault' : 'faults'}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}
