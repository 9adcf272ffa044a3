import { Form, href, Link } from 'react-router';
import { stateOn } from '#app/features/companies/rules.ts';
import { countOffers, listOffers, type OfferTab } from '#app/features/companies/staff-queries.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { academyToday } from '#app/lib/clock.ts';
import { formatDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { field } from '#app/ui/field.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { PageHead, Tabs } from '#app/ui/staff/page-head.tsx';
import { Pill, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/offers';
import { quoteName, stateWords } from './offer-words.ts';

const tabs: [OfferTab, string][] = [
  ['open', 'Open'],
  ['draft', 'Drafts'],
  ['accepted', 'Accepted'],
  ['ended', 'Ended'],
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'companies:read');
  const { db, clock } = context.get(academyContext);
  const tab = tabs.find(([name]) => name === url.searchParams.get('state'))?.[0] ?? 'open';
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, 100);
  const { offers, counts } = await unlessDatabaseAway(async () => ({
    offers: await listOffers(db, actor, { tab, search }),
    counts: await countOffers(db, actor),
  }));
  const today = academyToday(clock);
  return {
    tab,
    search,
    counts,
    offers: offers.map((row) => ({
      id: String(row.id),
      name: quoteName(row),
      customer: showControlCharacters(row.organisation ?? row.name),
      person: row.organisation === null ? null : showControlCharacters(row.name),
      titles: row.titles ?? '',
      people: row.people,
      total: formatExact(row.total_cents),
      state: stateOn({ state: row.state, lastDay: row.last_day }, today),
      lastDay: formatDays(row.last_day, row.last_day),
      answer: row.answer && showControlCharacters(row.answer),
      reference: row.reference,
    })),
  };
}

export const meta = () => staffMeta('Quotes');

export default function Offers({ loaderData: { tab, search, counts, offers } }: Route.ComponentProps) {
  const to = (state: OfferTab) =>
    `${href('/staff/offers')}?${new URLSearchParams({ state, ...(search && { search }) })}`;
  return (
    <>
      <PageHead title="Quotes">
        <OnlyWith permission="companies:change">
          <Link to={href('/staff/offers/new')} className={actButton.primary}>
            Make a quote
          </Link>
        </OnlyWith>
      </PageHead>
      <Tabs
        label="Quotes by state"
        tabs={tabs.map(([name, text]) => ({ to: to(name), text, current: name === tab, count: String(counts[name]) }))}
      />
      <Form action={href('/staff/offers')} role="search" className="mb-3 flex flex-wrap gap-2">
        <input type="hidden" name="state" value={tab} />
        <input
          type="search"
          name="search"
          aria-label="Number, customer or email"
          placeholder="Number, customer or email"
          defaultValue={search}
          className={`${field} max-w-xs`}
        />
        <button type="submit" className={actButton.quiet}>
          Find
        </button>
      </Form>
      <Rows
        rows={offers}
        keyOf={({ id }) => id}
        leads
        label="Quotes"
        columns="md:grid-cols-[11rem_minmax(0,1fr)_minmax(0,1fr)_8rem_13rem]"
        none={<Words wide>{search ? 'No quote fits.' : 'There is none.'}</Words>}
      >
        {({ id, name, customer, person, titles, people, total, state, lastDay, answer, reference }) => (
          <>
            <RowLink to={href('/staff/offers/:id', { id })}>{name}</RowLink>
            <span className="min-w-0 wrap-anywhere">
              {customer}
              {person && <span className="block text-sm text-mute">{person}</span>}
            </span>
            <span className="min-w-0 text-sm">
              {titles}
              <span className="tabular block text-mute">{people === 1 ? '1 person' : `${people} people`}</span>
            </span>
            <span className="tabular font-semibold md:text-right">{total}</span>
            <span className="text-sm">
              <Pill look={stateWords[state]?.look ?? 'calm'}>{stateWords[state]?.text}</Pill>{' '}
              <span className="tabular text-mute">
                {reference ?? (state === 'sent' ? `open until ${lastDay}` : '')}
              </span>
              {answer && <span className="block wrap-anywhere text-mute">“{answer}”</span>}
            </span>
          </>
        )}
      </Rows>
    </>
  );
}
