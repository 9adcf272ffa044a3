import { Form, href, Link } from 'react-router';
import { listOrganisations } from '#app/features/companies/staff-queries.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { formatAbn } from '#app/lib/abn.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { field } from '#app/ui/field.ts';
import { OnlyWith } from '#app/ui/staff/act-form.tsx';
import { actButton } from '#app/ui/staff/button.ts';
import { RowLink, Rows } from '#app/ui/staff/list.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/organisations';

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'companies:read');
  const { db } = context.get(academyContext);
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, 100);
  const rows = await unlessDatabaseAway(() => listOrganisations(db, actor, search));
  return {
    search,
    organisations: rows.map((row) => ({
      id: String(row.id),
      name: showControlCharacters(row.legal_name),
      trading: row.trading_name && showControlCharacters(row.trading_name),
      abn: row.abn && formatAbn(row.abn),
      managers: Number(row.managers),
      offers: Number(row.offers),
      agreed: [
        row.discount_percent > 0 && `${row.discount_percent}% off`,
        row.terms_days !== null && `${row.terms_days} days to pay`,
      ]
        .filter(Boolean)
        .join(', '),
    })),
  };
}

export const meta = () => staffMeta('Organisations');

export default function Organisations({ loaderData: { search, organisations } }: Route.ComponentProps) {
  return (
    <>
      <PageHead title="Organisations">
        <OnlyWith permission="companies:change">
          <Link to={href('/staff/organisations/new')} className={actButton.primary}>
            Add one
          </Link>
        </OnlyWith>
      </PageHead>
      <Form action={href('/staff/organisations')} role="search" className="mb-3 flex flex-wrap gap-2">
        <input
          type="search"
          name="search"
          aria-label="Name or ABN"
          placeholder="Name or ABN"
          defaultValue={search}
          className={`${field} max-w-xs`}
        />
        <button type="submit" className={actButton.quiet}>
          Find
        </button>
      </Form>
      <Rows
        rows={organisations}
        keyOf={({ id }) => id}
        leads
        label="Organisations"
        columns="md:grid-cols-[minmax(0,1fr)_9.5rem_6.5rem_5.5rem_8rem] lg:grid-cols-[minmax(0,1fr)_11rem_9rem_9rem_12rem]"
        none={
          <Words wide>
            {search ? 'None fits.' : 'There is none yet. The first to accept a quote under an ABN makes one.'}
          </Words>
        }
      >
        {({ id, name, trading, abn, managers, offers, agreed }) => (
          <>
            <span className="min-w-0">
              <RowLink to={href('/staff/organisations/:id', { id })}>{name}</RowLink>
              {trading && <span className="block text-sm text-mute">{trading}</span>}
            </span>
            <span className="tabular text-sm">{abn ? `ABN ${abn}` : ''}</span>
            <span className="tabular text-sm">{managers === 1 ? '1 manager' : `${managers} managers`}</span>
            <span className="tabular text-sm">{offers === 1 ? '1 quote' : `${offers} quotes`}</span>
            <span className="tabular text-sm text-mute">{agreed}</span>
          </>
        )}
      </Rows>
    </>
  );
}
