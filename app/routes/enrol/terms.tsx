import { Form, href, Link, useNavigation } from 'react-router';
import { stepPath } from '#app/features/enrolling/steps.ts';
import { termsKey } from '#app/features/enrolling/terms-step.server.ts';
import { snapshotContext } from '#app/features/snapshot/snapshot-store.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/terms';
import { AddressRemark } from './address-remark.tsx';
import { LadderList } from './ladder-list.tsx';
import { laddersOf } from './ladders.server.ts';
import { NoDraft } from './no-draft.tsx';
import { rulesFor } from './rules-for.ts';
import { StepFrame } from './step-frame.tsx';
import { actStep, loadStep } from './step-route.server.ts';

export async function loader(args: Route.LoaderArgs) {
  const store = args.context.get(snapshotContext);
  const now = args.context.get(academyContext).clock.now();
  return loadStep(args, 'terms', async ({ draft, product, choice, quote, agreement, terms, request }) => {
    // A step that can be opened has them.
    if (!product || !choice || !quote) throw new Error(`the terms of a draft without a choice: ${request}`);
    return {
      values: { ...draft.terms, accepted: terms ? 'on' : '' },
      inForceFrom: agreement.terms.inForceFrom,
      of: termsKey({ choice, quote, agreement }),
      attendees: choice.attendees,
      ladders: await laddersOf(store, { product, choice, quote }, now, agreement.ladder),
      rules: rulesFor(
        choice.choices.map(({ way }) => way),
        agreement.ladder,
      ),
    };
  });
}

export const action = (args: Route.ActionArgs) => actStep(args, 'terms');

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'Enrol: terms', 'What we refund if you cancel, by date and in dollars.', noPage);

const formId = 'step-form';

export default function Terms({ loaderData, actionData }: Route.ComponentProps) {
  const sending = useNavigation().state === 'submitting';
  if (loaderData.state !== 'open') return <NoDraft state={loaderData.state} />;
  const { summary, linkState, due, inForceFrom, of, ladders, attendees, rules } = loaderData;
  const form = actionData?.form ?? loaderData.form;
  const error = form.errors.accepted;
  return (
    <StepFrame
      summary={summary}
      step="terms"
      title="The terms"
      formId={formId}
      linkState={linkState}
      due={due}
      sending={sending}
    >
      <AddressRemark email={summary.email} formId={formId} />
      <ErrorSummary form={form} labels={{ accepted: 'Terms' }} formId={formId} />
      <section className="mb-6">
        <h2 className="mb-3 text-xl">If you cancel</h2>
        <LadderList ladders={ladders} attendees={attendees} />
      </section>
      <Form id={formId} method="post" action={stepPath(summary.token, 'terms')} noValidate className="grid gap-6">
        <input type="hidden" name="of" value={of} />
        <div>
          <label className="flex gap-3">
            <input
              id="accepted"
              type="checkbox"
              name="accepted"
              defaultChecked={form.values.accepted === 'on'}
              required
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? 'accepted-error' : undefined}
              className="mt-1 size-5 shrink-0 accent-action"
            />
            <span>
              I accept the{' '}
              <Link to={href('/terms')} target="_blank" className="font-bold text-link underline underline-offset-4">
                terms in force since {formatDay(inForceFrom)}
              </Link>{' '}
              (they open in a new window), with the refunds shown here.
            </span>
          </label>
          {error && (
            <p id="accepted-error" className="mt-1.5 font-semibold text-fault">
              {error}
            </p>
          )}
        </div>
      </Form>
      <ul className="mt-6 grid list-disc gap-1 pl-5 text-[0.9375rem] text-mute marker:text-edge">
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </StepFrame>
  );
}
