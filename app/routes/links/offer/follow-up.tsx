import { Form, useNavigation } from 'react-router';
import { button } from '#app/ui/button.ts';
import { TextArea } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';

export const followUpForm = 'follow-up-form';

type Props = { action: string; question: string; answer: string | null; form: FormState };

/** The one question a month after a course, and what was answered (P113). */
export function FollowUp({ action, question, answer, form }: Props) {
  const sending = useNavigation().state === 'submitting';
  const filled = { ...form, values: { answer: form.values.answer ?? answer ?? '' } };
  return (
    <section aria-labelledby="follow-up-title" className="no-print mt-9 max-w-2xl border-t border-line pt-6">
      <h2 id="follow-up-title" className="text-xl">
        One month on
      </h2>
      {answer !== null && (
        <p role="status" className="mt-2 font-semibold">
          Thank you: we have your answer. You can change it.
        </p>
      )}
      <Form id={followUpForm} method="post" action={action} noValidate className="mt-3 grid gap-4">
        <TextArea form={filled} name="answer" label={question} />
        <p>
          <button type="submit" name="intent" value="follow-up" disabled={sending} className={button.quiet}>
            {sending ? 'Sending' : 'Send the answer'}
          </button>
        </p>
      </Form>
    </section>
  );
}
