import { useEffect, useRef } from 'react';
import { button } from './button.ts';
import type { FormState } from './form-state.ts';

/**
 * The faults of a form, with links to the fields; it takes the focus when it appears (P23). When nobody knows whether
 * the form arrived, it offers to send it again: `formId` is the form's.
 */
export function ErrorSummary({
  form,
  labels,
  formId,
}: {
  form: FormState;
  labels: Record<string, string>;
  formId: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const faults = Object.entries(form.errors);
  const shown = form.fault !== null || faults.length > 0;
  // Again with every answer: a second refusal must be heard as well.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new form is a new answer
  useEffect(() => {
    if (shown) box.current?.focus();
  }, [form, shown]);
  if (!shown) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-7 rounded-card border-2 border-fault bg-card p-5 outline-none sm:p-6"
    >
      <h2 className="text-xl">{form.heading}</h2>
      {form.fault && <p className="mt-2">{form.fault}</p>}
      {form.heading === 'Not confirmed yet' && (
        <button
          type="submit"
          form={formId}
          // The button that was pressed before, in a form with several.
          {...(form.values.act && { name: 'act', value: form.values.act })}
          className={`${button.primary} mt-4`}
        >
          Send again
        </button>
      )}
      {faults.length > 0 && (
        <>
          <p className="mt-2">{form.fault ? 'Please check:' : 'We kept what you wrote. Please check:'}</p>
          <ul className="mt-2 grid list-disc gap-1 pl-5">
            {faults.map(([name, message]) => (
              <li key={name}>
                <a href={`#${name}`} className="font-bold text-link underline underline-offset-4">
                  {labels[name] ?? name}
                </a>
                : {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
