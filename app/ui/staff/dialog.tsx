import type { ComponentProps, ReactNode } from 'react';
import { ErrorSummary } from '#app/ui/form-summary.tsx';
import { unbroken } from '#app/ui/staff/unbroken.tsx';
import { ActForm } from './act-form.tsx';
import { Back } from './typography.tsx';

type Props = Omit<ComponentProps<typeof ActForm>, 'back' | 'stays'> & {
  /** The page it was opened from, where it leads back to. */
  from: { to: string; text: string };
  title: string;
  /** The subject, in a line. */
  line?: ReactNode;
  /** The effect of sending it. */
  explains?: ReactNode;
  labels: Record<string, string>;
};

/** A form with an address of its own, opened from a page: subject, fields, button and a link back. */
export function Dialog({ from, title, line, explains, labels, id, act, ...form }: Props) {
  const formId = id ?? `${act}-form`;
  return (
    <>
      <DialogHead from={from} title={title} line={line} explains={explains} />
      <ErrorSummary form={form.form} labels={labels} formId={formId} />
      <ActForm {...form} id={formId} act={act} back={from.to} stays={false} />
    </>
  );
}

/** The head alone, where there is something to choose first, or nothing to do. */
export function DialogHead({ from, title, line, explains }: Pick<Props, 'from' | 'title' | 'line' | 'explains'>) {
  return (
    <>
      <Back to={from.to}>{from.text}</Back>
      <h1 className="text-2xl">{title}</h1>
      {line && <p className="mt-1 mb-6 text-mute">{unbroken(line)}</p>}
      {explains && <p className="mt-1 mb-6 max-w-prose text-mute">{explains}</p>}
    </>
  );
}
