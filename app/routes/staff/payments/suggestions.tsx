import { href } from 'react-router';
import type { FormState } from '#app/ui/form-state.ts';
import { ActForm, ButtonText, SendButton } from '#app/ui/staff/act-form.tsx';
import { TextLink } from '#app/ui/staff/typography.tsx';
import type { ShownSuggestion } from './suggested.server.ts';

/** The enrolments of a suggestion and why they are suggested. */
export function SuggestedFor({ suggestion: { shares, reasons } }: { suggestion: ShownSuggestion }) {
  return (
    <>
      {shares.map(({ reference, text }) => (
        <p key={reference}>
          <TextLink to={href('/staff/enrolments/:reference', { reference })}>{reference}</TextLink> {text}
        </p>
      ))}
      <p className="break-words text-mute">{reasons}</p>
    </>
  );
}

type Props = { paymentId: number; suggestions: readonly ShownSuggestion[]; form: FormState };

/** The suggestions for a payment; a press accepts one. */
export function Suggestions({ paymentId, suggestions, form }: Props) {
  if (suggestions.length === 0) return null;
  return (
    <ul className="mt-1 mb-2 grid gap-2">
      {suggestions.map((suggestion) => (
        <li key={suggestion.key} className="border-l-3 border-edge pl-3">
          <SuggestedFor suggestion={suggestion} />
          <ActForm
            act="accept"
            id={null}
            to={href('/staff/payments')}
            form={form}
            needs="money:record"
            className="mt-1"
            carries={{ payment: paymentId, key: suggestion.key }}
          >
            <SendButton>
              <ButtonText about={suggestion.shares.map(({ reference }) => reference).join(', ')}>Accept</ButtonText>
            </SendButton>
          </ActForm>
        </li>
      ))}
    </ul>
  );
}
