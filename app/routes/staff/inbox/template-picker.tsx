import type { MouseEvent } from 'react';
import { href } from 'react-router';
import { withTemplate } from '#app/features/inbox/answer-fields.ts';
import { button } from '#app/ui/button.ts';
import { select } from '#app/ui/field.ts';
import type { FormState } from '#app/ui/form-state.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';

type Props = { templates: readonly { id: number; name: string; text: string }[]; form: FormState };

/** The form of an answer, which stands below. */
const answerForm = 'answer-form';

/** Chooses a template for the field `answer` of the form `answer-form`: at once with scripts, by sending it without. */
export function TemplatePicker({ templates, form }: Props) {
  if (templates.length === 0) return null;
  const error = form.errors.template;
  const fill = (event: MouseEvent<HTMLButtonElement>) => {
    const fields = event.currentTarget.form?.elements;
    const [choice, answer] = [fields?.namedItem('template'), fields?.namedItem('answer')];
    if (!(choice instanceof HTMLSelectElement && answer instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    const chosen = templates.find(({ id }) => String(id) === choice.value);
    if (!chosen) return choice.focus();
    answer.value = withTemplate(answer.value, chosen.text);
    answer.dispatchEvent(new Event('input', { bubbles: true }));
    answer.focus();
  };
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <label className="grid min-w-0 gap-1">
        <span className="text-sm">Template</span>
        <select
          id="template"
          name="template"
          form={answerForm}
          defaultValue={form.values.template ?? ''}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? 'template-error' : undefined}
          className={select}
        >
          <Options none="Choose one" of={templates.map(({ id, name }) => [id, name])} />
        </select>
      </label>
      <button type="submit" form={answerForm} name="fill" value="1" onClick={fill} className={button.quiet}>
        Fill in
      </button>
      <span className="pb-1.5 text-sm">
        <TextLink to={href('/staff/inbox/templates')}>All templates</TextLink>
      </span>
      {error && (
        <p id="template-error" className="w-full text-sm font-semibold text-fault">
          {error}
        </p>
      )}
    </div>
  );
}
