import { href } from 'react-router';
import { z } from 'zod';
import { mostDays, type NotStarted, startPromotion } from '#app/features/catalogue/promotions/commands.server.ts';
import { isRunning } from '#app/features/catalogue/promotions/rules.ts';
import { blankStaffForm, common, readHistory, takeStaffAct } from '#app/features/people/staff-act.server.ts';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { requiredLine } from '#app/http/form-texts.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { academyZone } from '#app/lib/academy-day.ts';
import { addDays } from '#app/lib/dates.ts';
import { formatEnd } from '#app/lib/short-dates.ts';
import { instantOf } from '#app/lib/wall-clock.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { TextField } from '#app/ui/form-fields.tsx';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { ActForm, WhoMay } from '#app/ui/staff/act-form.tsx';
import { PageHead } from '#app/ui/staff/page-head.tsx';
import { sendStaffForm } from '#app/ui/staff/send-staff-form.ts';
import { Back, History, TextLink } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/promotion';
import { priceLabels } from './price-labels.ts';
import { readPromotionForStaff } from './promotion.server.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const actor = staffFor(context, 'prices:read');
  const { db, clock } = context.get(academyContext);
  return unlessDatabaseAway(async () => {
    const promotion = await readPromotionForStaff(db, actor);
    const history = await readHistory(db, actor, 'promotion:combos');
    return {
      subject: promotion.subject,
      ends: formatEnd(new Date(promotion.endsAt)),
      running: isRunning(promotion, clock.now()),
      mayChange: actor.can.has('prices:change'),
      entries: history.entries,
      form: blankStaffForm(history.seen, { subject: promotion.subject }),
    };
  });
}

const schema = z.object({
  ...common,
  act: z.literal('start'),
  subject: requiredLine('what the discount is on', 60),
  until: z.iso
    .date('Enter the last day as a date.')
    .refine((day) => day.startsWith('20'), 'Enter a date of this century.'),
});

export async function action({ context, request }: Route.ActionArgs) {
  const actor = staffFor(context, 'prices:change');
  const result = await takeStaffAct(context.get(academyContext), {
    form: await readForm(request),
    schema,
    subject: 'promotion:combos',
    actor,
    async act(trx, { subject, until }, { now }) {
      // Its last day is a whole one in Brisbane.
      const ends = instantOf(addDays(until, 1), '00:00', academyZone);
      const started = await startPromotion(trx, { subject, until: ends }, { actor, now });
      if (started.ok) return { ok: true, did: { action: 'start-promotion', details: { until } } };
      if (started.reason === 'past') {
        return { ok: false, reason: 'refused', errors: { until: 'Choose today or a later day.' } };
      }
      if (started.reason === 'too-long') {
        const text = `Choose a day within ${mostDays} days: the end of a promotion can never be moved.`;
        return { ok: false, reason: 'refused', errors: { until: text } };
      }
      return { ok: false, reason: 'refused', fault: whyNot(started) };
    },
  });
  return answerForm(result, href('/staff/prices/promotion'));
}

function whyNot(not: Exclude<NotStarted, { reason: 'past' | 'too-long' }>): string {
  if (not.reason === 'running') {
    return `A promotion runs until ${formatEnd(not.until)}. Its end is never moved; start another one after it.`;
  }
  return `These prices rose within the last four weeks, and savings would be measured against them: ${not.titles.join(', ')}. Wait, or lower them.`;
}

export const clientAction = sendStaffForm;

export const meta = () => staffMeta('Promotion of combos');

export default function PromotionOfCombos({ loaderData, actionData }: Route.ComponentProps) {
  const { subject, ends, running, mayChange, entries } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  return (
    <>
      <Back to={href('/staff/prices')}>Prices</Back>
      <PageHead title="Promotion of combos" beside={running ? 'Running' : 'None is running'} />
      <WhoMay needs="prices:change" />
      <ErrorSummary form={form} labels={priceLabels} formId="start-form" />
      <p className="mb-6 max-w-prose">
        {`${subject}: ${running ? 'it ends' : 'it ended'} on ${ends}. The end of a promotion is never moved. While one runs, the prices of courses in combos do not rise: planned rises wait until it ends.`}
      </p>
      <div className="grid max-w-2xl gap-8">
        {mayChange && !running && (
          <ActForm act="start" form={form} needs="prices:change" submit="Start the promotion now" look="primary">
            <h2 className="text-lg">Start another promotion</h2>
            <p>
              Look first at the{' '}
              <TextLink to={`${href('/staff/prices')}?state=planned`}>prices that are planned</TextLink>: rises of
              courses in combos wait until it ends.
            </p>
            <TextField
              form={form}
              name="subject"
              label={priceLabels.subject}
              hint="The banner says: up to 30% off on …"
              required
            />
            <TextField
              form={form}
              name="until"
              label={priceLabels.until}
              hint="The day in Brisbane. You cannot change it afterwards."
              type="date"
              required
            />
          </ActForm>
        )}
        <History entries={entries} />
      </div>
    </>
  );
}
