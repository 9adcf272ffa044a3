import { didYouMean, takeMeant } from '#app/features/enrolments/enrolling/did-you-mean.ts';

/** A remark on a typed address that looks like a mistake; it stops nobody. `formId` is the step's form. */
export function AddressRemark({ email, formId }: { email: string; formId: string }) {
  const meant = didYouMean(email);
  if (meant === null) return null;
  return (
    <p role="status" className="mt-1.5 max-w-prose">
      You typed <b className="wrap-anywhere">{email}</b>. Did you mean{' '}
      <button
        type="submit"
        form={formId}
        name="intent"
        value={takeMeant}
        formNoValidate
        className="min-h-6 font-bold wrap-anywhere text-link underline underline-offset-4"
      >
        {meant}
      </button>
      ?
    </p>
  );
}
