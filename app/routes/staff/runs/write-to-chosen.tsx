import type { ComponentProps } from 'react';
import { Back, Words } from '#app/ui/staff/parts.tsx';
import { Compose } from './compose.tsx';
import type { Preview } from './take-message.server.ts';

type Props = {
  back: { to: string; text: string };
  /** The chosen records, or the reason why nobody gets a message. */
  line: string;
  /** Null where nobody was chosen. */
  writing: Pick<ComponentProps<typeof Compose>, 'to' | 'form' | 'groups'> | null;
  /** The chosen records, one a line. */
  chosen?: readonly string[];
  answer: { form: ComponentProps<typeof Compose>['form']; preview?: Preview; told?: string } | undefined;
};

/** The form for a message to the people of chosen records (P79). */
export function WriteToChosen({ back, line, writing, chosen = [], answer }: Props) {
  return (
    <>
      <Back to={back.to}>{back.text}</Back>
      <h1 className="mb-1 text-2xl">Write to those chosen</h1>
      {writing === null ? (
        <Words>{line}</Words>
      ) : (
        <>
          <p className="mb-4 max-w-prose">{line}</p>
          {chosen.length > 0 && (
            <details className="mb-5 max-w-prose border-y border-line" open={chosen.length <= 5}>
              <summary className="min-h-9 cursor-pointer py-1.5 font-semibold">Which they are</summary>
              <ul className="tabular pb-3 pl-4">
                {chosen.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
            </details>
          )}
          <Compose
            {...writing}
            form={answer?.form ?? writing.form}
            service="About their course or enrolment. They need to know it, so no consent is needed."
            preview={answer?.preview ?? null}
            told={answer?.told ?? ''}
          />
        </>
      )}
    </>
  );
}
