import { data, href } from 'react-router';
import { readPricesOf } from '#app/features/money/price-ledger.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { formatCents } from '#app/lib/exact-money.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { blankStaffForm } from '#app/routes/staff/act.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { readHistory } from '#app/routes/staff/history.server.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { OnlyWith, WhoMay } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, History, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/course-prices';
import { takePriceAct } from './price-acts.server.ts';
import { ChangePrice, ConfirmOriginal } from './price-forms.tsx';
import { priceLabels } from './price-labels.ts';
import { Periods, PlannedPrices } from './price-tables.tsx';
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
