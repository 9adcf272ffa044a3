/** Whether the courses of a category begin with a written agreement, and are never guided (P28, P38). */
export const beginsWithAgreement = (categorySlug: string): boolean => categorySlug === 'job-guarantee';
