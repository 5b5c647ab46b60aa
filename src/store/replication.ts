// Replication to a synchronous standby, where there is one. A commit that is answered has reached it; what somebody else
// committed need not have: whoever ends a wait for the standby, by a cancel, a kill or a restart, makes visible what the
// standby may not have. So before something found is answered, it is made sure of.

// Returns when the standby has it, and with it all that was committed before. What only reads would not wait for that.
export const REPLICATE = { name: 'replicate', text: "select pg_logical_emit_message(true, 'kassa', '')" };
