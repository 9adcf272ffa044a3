import { answerFields } from '#app/features/inbox/answer-fields.ts';
import { TextArea, TextField } from '#app/ui/form-fields.tsx';
import type { FormState } from '#app/ui/form-state.ts';

/** The labels of a template's fields. */
export const templateLabels = { name: 'Name', body: 'What the answer says' };

/** The form fields of a template, with the list of fields in braces. */
export function TemplateFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField form={form} name="name" label={templateLabels.name} maxLength={60} autoComplete="off" required />
      <TextArea
        form={form}
        name="body"
        label={templateLabels.body}
        hint="Plain text. Your name is added at the end of an email."
        required
      />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {Object.entries(answerFields).map(([name, what]) => (
          <div key={name} className="contents">
            <dt className="font-mono">{`{${name}}`}</dt>
            <dd className="text-mute">{what}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
