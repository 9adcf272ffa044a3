/** The box that confirms the work of everybody who is ticked (P61). */
export const workBox = 'work-accepted';
