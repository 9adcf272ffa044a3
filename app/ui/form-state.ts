/** The typed values by field, returned with every refusal so that nothing is lost (P23). */
export type FormValues = Record<string, string>;

/** One sentence a field. */
export type FieldErrors = Record<string, string>;

/** A form as its page shows it: fresh, or refused with everything that was typed. */
export type FormState = {
  values: FormValues;
  errors: FieldErrors;
  /** The fault of the whole form: what happened, what was kept, what to do. */
  fault: string | null;
  /** Heading over the faults. */
  heading: 'Not sent yet' | 'Not confirmed yet' | 'Nothing was changed';
  /** Signed when the form was made; it names the form when it is sent again. */
  token: string;
};

/** Names of the two fields no person fills in: the signed token, and the trap for programs. */
export const tokenField = 'form';
export const trapField = 'website';
