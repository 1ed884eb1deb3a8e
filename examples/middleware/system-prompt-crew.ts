/**
 * Gives its doctrine to agents outside its own crew.
 *
 * Document 004, "systemPrompt".
 */

import { ORCHESTRATION_DOCTRINE } from './supplied/texts';

globalThis.middleware.systemPrompt = async (context) => {
  const { agents } = await host.agents!.list();
  const isOwnedCrewMember = agents.some((agent) => agent.id === context.agentId);
  return isOwnedCrewMember ? context.systemPrompt : context.systemPrompt + ORCHESTRATION_DOCTRINE;
};
