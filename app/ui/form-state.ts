/** What a person typed, by field, given back with every refusal so that nothing is lost (P23). */
export type FormValues = Record<string, string>;

/** One sentence a field. */
export type FieldErrors = Record<string, string>;

/** A form as its page shows it: fresh, or refused with everything that was typed. */
export type FormState = {
  values: FormValues;
  errors: FieldErrors;
  /** What went wrong with the form as a whole: what happened, what was kept, what to do. */
  fault: string | null;
  /** Heading over the faults: what is known of the form. */
  heading: 'Not sent yet' | 'Not confirmed yet' | 'Nothing was changed';
  /** Signed when the form was made; it names the form when it is sent again. */
  token: string;
};

/** Names of the two fields no person fills in: the signed token, and the trap for programs. */
export const tokenField = 'form';
export const trapField = 'website';
