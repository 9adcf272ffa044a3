import { href, Link } from 'react-router';
import { countUnproved, listPrices } from '#app/features/money/price-ledger.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { formatMoment, shortDate } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { button } from '#app/ui/button.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PagesNav } from '#app/ui/staff/list.tsx';
import { listAddress, oneOf } from '#app/ui/staff/list-address.ts';
import { ListBar } from '#app/ui/staff/list-bar.tsx';
import { PageHead, Section, Tabs } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { RecordLink, Table, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/prices';
import { takeAllConfirmed } from './price-acts.server.ts';
import { priceLabels } from './price-labels.ts';
import { proofInWords, unprovedInWords } from './price-words.ts';

const states = { unproved: 'Not confirmed', planned: 'With a planned change' } as const;
const priceList = listAddress({ path: href('/staff/prices'), filters: { state: oneOf(states) } });

export async function loader({ context, url }: Route.LoaderArgs) {
  const actor = staffFor(context, 'prices:read');
  const { db } = context.get(academyContext);
  const view = priceList.viewOf(url.searchParams);
  return unlessDatabaseAway(async () => {
    const { courses, more } = await listPrices(db, actor, { ...view, ...view.values });
    const { seen } = await readHistory(db, actor, 'prices:all');
    return {
      view,
      more,
      unproved: await countUnproved(db, actor),
      courses: courses.map(({ from_at, next_at, ...course }) => ({
        ...course,
        since: shortDate(academyDay(from_at)),
        next: next_at && formatMoment(new Date(next_at)),
      })),
      form: blankStaffForm(seen),
    };
  });
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'prices:change');
  const result = await takeAllConfirmed(context.get(academyContext), { form: await readForm(request), actor });
  return answerForm(result, href('/staff/prices'));
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Prices');

export default function Prices({ loaderData, actionData }: Route.ComponentProps) {
  const { view, more, courses, unproved } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <PageHead title="Prices" beside={unprovedInWords(unproved)}>
        <Link to={href('/staff/prices/promotion')} className={button.quiet}>
          Promotion
        </Link>
      </PageHead>
      <WhoMay needs="prices:change" />
      <ErrorSummary form={form} labels={priceLabels} formId="confirm-all-form" />
      <Tabs label="State" tabs={priceList.tabsOf(view, 'state', states)} />
      <ListBar list={priceList} view={view} searches="Course" />
      {courses.length === 0 ? (
        <Words wide>No course matches.</Words>
      ) : (
        <Table
          head={[
            { text: 'Course', className: 'min-w-56' },
            { text: 'Price, AU$', right: true },
            { text: 'Original, AU$', right: true },
            { text: 'What proves it', className: 'min-w-36 pl-3' },
            'Since',
            'Planned',
          ]}
          label="Prices of courses"
          minWidth="min-w-[45rem]"
        >
          {courses.map(({ slug, title, amount_cents, original_cents, proof, since, next }) => (
            <tr key={slug}>
              <td>
                <RecordLink to={href('/staff/prices/:slug', { slug })}>{title}</RecordLink>
              </td>
              <NumberCell>{formatCents(amount_cents)}</NumberCell>
              <NumberCell>{original_cents === null ? '' : formatCents(original_cents)}</NumberCell>
              <td className="pl-3">{proofInWords(original_cents, proof)}</td>
              <td className="whitespace-nowrap">{since}</td>
              <td className="whitespace-nowrap">{next}</td>
            </tr>
          ))}
        </Table>
      )}
      <PagesNav pages={priceList.numbered(view, more)} />
      {unproved.brief > 0 && (
        <OnlyWith permission="prices:change">
          <div className="mt-8 max-w-2xl">
            <Section title="Confirm all original prices of the brief">
              <p className="py-2">
                Confirm them only if each was charged. Buyers read what you write here on the page “Figures and their
                sources”. To confirm one alone, open its course.
              </p>
              <ActForm
                act="confirm-all"
                form={form}
                needs="prices:change"
                submit={`Confirm ${unproved.brief} original ${unproved.brief === 1 ? 'price' : 'prices'}`}
              >
                <TextField
                  form={form}
                  name="proof"
                  label={priceLabels.proof}
                  hint="Such as: price list of 1 March 2025 and its invoices."
                  required
                />
              </ActForm>
            </Section>
          </div>
        </OnlyWith>
      )}
    </>
  );
}
