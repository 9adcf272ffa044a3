/** The status text of a 503 that came before the form was looked at: nothing was done. */
export const nothingDone = 'Nothing was done';
