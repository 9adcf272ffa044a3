import type { DraftSummary } from '#app/features/enrolling/draft-summary.ts';
import { button } from '#app/ui/button.ts';
import { field } from '#app/ui/field.ts';

const states: Record<string, string> = {
  sent: 'The link is on its way to that address. If nothing arrives, copy the link above.',
  stored:
    'Our mail server does not answer at the moment. We saved the email and send it as soon as the server answers. You can copy the link instead.',
  'too-many':
    'We sent nothing, because such links were asked for often from your network. You can copy the link instead.',
  'no-address': 'Enter an email address such as name@example.com. Nothing was sent.',
};

/** The private link, shown and mailed only when one asks for it. `formId` is the step's form. */
export function LaterLink({ summary, formId, state }: { summary: DraftSummary; formId: string; state: string | null }) {
  return (
    <details open={state !== null} className="min-w-0 grow open:basis-full">
      <summary className="inline-flex min-h-11 items-center font-bold text-link underline underline-offset-4">
        Finish later
      </summary>
      <div className="grid gap-4 pt-1 pb-3">
        <p className="max-w-prose">
          This link opens what you filled in, for seven days after the last change. Anyone with the link can read and
          change it, so keep it private. We hold seats for only 15 minutes.
        </p>
        <p className="rounded-control border border-line p-3 font-mono text-sm wrap-anywhere select-all">
          {summary.link}
        </p>
        <div>
          <label htmlFor="linkEmail" className="mb-1.5 block font-bold">
            Send it to <span className="font-normal text-mute">(optional)</span>
          </label>
          <div className="flex flex-wrap gap-2">
            <input
              id="linkEmail"
              name="linkEmail"
              type="email"
              form={formId}
              autoComplete="email"
              defaultValue={summary.email}
              className={`${field} max-w-sm`}
            />
            <button type="submit" form={formId} name="intent" value="link" formNoValidate className={button.quiet}>
              Send the link
            </button>
          </div>
        </div>
        <p role="status" className="font-semibold">
          {state !== null && states[state]}
        </p>
      </div>
    </details>
  );
}
