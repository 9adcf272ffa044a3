import { data, href } from 'react-router';
import { theBrief } from '#app/features/catalogue/price-proofs.ts';
import { readPricesOf } from '#app/features/money/price-ledger.server.ts';
import { blankStaffForm, readHistory } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatCents, formatExact } from '#app/lib/exact-money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, ButtonText, OnlyWith, SendButton, WhoMay } from '#app/ui/staff/act-form.tsx';
import { NumberCell } from '#app/ui/staff/cells.tsx';
import { PageHead, Section } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, History, Table, TextLink, Words } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/course-prices';
import { takePriceAct } from './price-acts.server.ts';
import { priceLabels } from './price-labels.ts';
import { authorInWords, proofInWords } from './price-words.ts';

export async function loader({ context, params: { slug } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'prices:read');
  const { db } = context.get(academyContext);
  const found = await unlessDatabaseAway(async () => {
    const prices = await readPricesOf(db, actor, slug);
    if (!prices) return null;
    const { course, formerSlugs } = prices;
    const history = await readHistory(db, actor, `course:${course.slug}`, { former: formerSlugs });
    return { ...prices, history };
  });
  if (!found) throw data(`There is no course ${slug}.`, { status: 404 });
  const { course, periods, planned, seen, history } = found;
  const [now] = periods;
  return {
    course: { slug: course.slug, title: course.title, retired: course.retired_at !== null },
    seen,
    original: now?.original_cents ?? null,
    proof: now?.proof ?? null,
    confirmed: now?.proved_at ? formatMoment(now.proved_at) : null,
    periods: periods.map(({ id, amount_cents, original_cents, proof, places, note, ...period }) => ({
      id,
      from: formatMoment(period.from_at),
      until: period.until_at && formatMoment(period.until_at),
      price: formatCents(amount_cents),
      original: original_cents === null ? '' : formatCents(original_cents),
      who: authorInWords(period.author, period.name),
      note,
      proof: proofInWords(original_cents, proof),
      places,
    })),
    planned: planned.map(({ id, amount_cents, original_cents, fault, note, name, ...plan }) => ({
      id,
      from: formatMoment(fault === null ? plan.holds_from : plan.from_at),
      waits: fault === null && plan.holds_from > plan.from_at,
      price: formatCents(amount_cents),
      original: original_cents === null ? '' : formatCents(original_cents),
      who: name ?? '',
      note,
      fault,
    })),
    entries: history.entries,
    form: blankStaffForm(history.seen, {
      price: (course.price_cents / 100).toFixed(2),
      original: course.original_price_cents === null ? '' : (course.original_price_cents / 100).toFixed(2),
    }),
  };
}

export async function action({ context, request, params: { slug } }: Route.ActionArgs) {
  const actor = staffFor(context, 'prices:change');
  const result = await takePriceAct(context.get(academyContext), { form: await readForm(request), slug, actor });
  return answerForm(result, href('/staff/prices/:slug', { slug }));
}

export const clientAction = sendStaffForm;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  staffMeta(loaderData ? `Prices, ${loaderData.course.title}` : 'Prices');

export default function CoursePrices({ loaderData, actionData }: Route.ComponentProps) {
  const { course, seen, original, proof, confirmed, periods, planned, entries } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/prices')}>Prices</Back>
      <PageHead title={course.title} beside={course.retired ? 'Not on offer' : undefined} />
      <WhoMay needs="prices:change" />
      <ErrorSummary form={form} labels={priceLabels} formId={`${form.values.act}-form`} />
      <p className="mb-4 max-w-prose text-mute">
        Enrolments keep the price they were placed at.{' '}
        {seen === 0
          ? 'Nobody in the checkout or with an offer of the waiting list was shown another price.'
          : `${seen} in the checkout or with an offer of the waiting list ${seen === 1 ? 'was' : 'were'} shown another price: each pays the lower one, and the checkout says so.`}{' '}
        <TextLink to={href('/course/:courseId', { courseId: course.slug })}>Page of the course</TextLink>
      </p>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-8">
          <Periods periods={periods} />
          <PlannedPrices planned={planned} form={form} />
          <History entries={entries} />
        </div>
        <OnlyWith permission="prices:change">
          <aside aria-label="Change the price" className="grid gap-8">
            {!course.retired && <ChangePrice form={form} />}
            <ConfirmOriginal original={original} proof={proof} confirmed={confirmed} form={form} />
          </aside>
        </OnlyWith>
      </div>
    </>
  );
}

const needs = 'prices:change';

/** Changes the price now, or from a day to come. */
function ChangePrice({ form }: { form: FormState }) {
  return (
    <ActForm act="price" form={form} needs={needs} submit="Change the price" look="primary">
      <h2 className="text-lg">Change the price</h2>
      <TextField form={form} name="price" label={priceLabels.price} inputMode="decimal" required />
      {form.errors.again && <TextField form={form} name="again" label={priceLabels.again} inputMode="decimal" />}
      <TextField
        form={form}
        name="original"
        label={priceLabels.original}
        hint="Only a price that was charged for four weeks within the last six months."
        inputMode="decimal"
      />
      <TextField
        form={form}
        name="from"
        label={priceLabels.from}
        hint="Leave it empty to change the price now. Otherwise it changes at midnight in Brisbane, automatically."
        type="date"
      />
      <TextField form={form} name="note" label={priceLabels.note} />
    </ActForm>
  );
}

type ConfirmProps = { original: number | null; proof: string | null; confirmed: string | null; form: FormState };

/** The owner confirms the original price of the brief, or takes that back. */
function ConfirmOriginal({ original, proof, confirmed, form }: ConfirmProps) {
  if (original === null) return null;
  if (confirmed !== null) {
    return (
      <ActForm act="unconfirm" form={form} needs={needs} submit="Take the confirmation back">
        <h2 className="text-lg">Original price</h2>
        <p>
          Confirmed on {confirmed}: “{proof}”. Buyers read this on the page “Figures and their sources”.
        </p>
      </ActForm>
    );
  }
  if (proof !== theBrief) return null;
  return (
    <ActForm act="confirm" form={form} needs={needs} submit={`Confirm ${formatExact(original)}`}>
      <h2 className="text-lg">Confirm the original price</h2>
      <p>It comes from the brief of 2025. Confirm it only if it was charged.</p>
      <TextField
        form={form}
        name="proof"
        label={priceLabels.proof}
        hint="Buyers read it. Such as: price list of 1 March 2025 and its invoices."
        required
      />
    </ActForm>
  );
}

type Data = Route.ComponentProps['loaderData'];

/** Every period of a price, the latest first. */
function Periods({ periods }: { periods: Data['periods'] }) {
  return (
    <Section title="Periods">
      <Table
        head={[
          'From',
          'Until',
          { text: 'Price, AU$', right: true },
          { text: 'Struck through, AU$', right: true },
          'What proves it',
          'Who',
          { text: 'Places', right: true },
        ]}
        label="Periods of the price"
        minWidth="min-w-[44rem]"
      >
        {periods.map(({ id, from, until, price, original, proof, who, note, places }) => (
          <tr key={id}>
            <td>{from}</td>
            <td>{until ?? 'now'}</td>
            <NumberCell>{price}</NumberCell>
            <NumberCell>{original}</NumberCell>
            <td>{proof}</td>
            <td>
              {who}
              {note && <div className="text-mute">{note}</div>}
            </td>
            <NumberCell>{places}</NumberCell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** Changes to come, and those that were refused when their day came. */
function PlannedPrices({ planned, form }: { planned: Data['planned']; form: FormState }) {
  return (
    <Section title="Planned changes">
      {planned.length === 0 ? (
        <Words>None.</Words>
      ) : (
        <Table
          head={[
            'From',
            { text: 'Price, AU$', right: true },
            { text: 'Struck through, AU$', right: true },
            'Who',
            'Act',
          ]}
          label="Planned changes"
        >
          {planned.map(({ id, from, waits, price, original, who, note, fault }) => (
            <tr key={id}>
              <td>
                {from}
                {waits && <div className="text-mute">When the promotion of combos has ended</div>}
              </td>
              <NumberCell>{price}</NumberCell>
              <NumberCell>{original}</NumberCell>
              <td>
                {who}
                {note && <div className="text-mute">{note}</div>}
              </td>
              <td>
                {fault ? (
                  <p className="font-semibold text-fault">Not made. {fault}</p>
                ) : (
                  <ActForm
                    act="withdraw"
                    id={null}
                    form={form}
                    needs="prices:change"
                    carries={{ plan: id }}
                    className=""
                  >
                    <SendButton look="danger">
                      <ButtonText about={`the change of ${from}`}>Withdraw</ButtonText>
                    </SendButton>
                  </ActForm>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
