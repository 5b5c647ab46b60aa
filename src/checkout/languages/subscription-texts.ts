// What a consumer agrees to when they pay for something that is charged again, in every language of the checkout. Short
// sentences that stand below each other; words in braces are filled in.
import type { Language } from '../view.ts';

export type SubscriptionTexts = {
  readonly heading: string;
  /** {shop} */
  readonly agree: string;
  /** {shop}; another card for a subscription that there is. */
  readonly replace: string;
  readonly unscheduled: string;
  readonly daily: string;
  /** {days} */
  readonly everyDays: string;
  /** {amount} */
  readonly amount: string;
  readonly variableAmount: string;
  /** {date} */
  readonly until: string;
  readonly noMoneyNow: string;
  readonly canEnd: string;
};

export const SUBSCRIPTION_TEXTS: Readonly<Record<Language | 'pl' | 'fr' | 'nl' | 'es', SubscriptionTexts>> = {
  en: {
    heading: 'You agree to further charges',
    agree: '{shop} may charge this card again without asking you each time.',
    replace: '{shop} will charge this card for your subscription from now on.',
    unscheduled: 'There is no fixed schedule: it is charged when you use the service.',
    daily: 'At most once a day.',
    everyDays: 'At most once every {days} days.',
    amount: 'Each charge is {amount}.',
    variableAmount: 'The amount can differ from one charge to the next.',
    until: 'Until {date}.',
    noMoneyNow: 'Nothing is charged now.',
    canEnd: 'You can end it at any time, on a page whose link you get after paying.',
  },
  sv: {
    heading: 'Du godkänner kommande dragningar',
    agree: '{shop} får dra pengar från kortet igen utan att fråga dig varje gång.',
    replace: '{shop} drar pengar från det här kortet för din prenumeration från och med nu.',
    unscheduled: 'Det finns inget fast schema: pengar dras när du använder tjänsten.',
    daily: 'Högst en gång om dagen.',
    everyDays: 'Högst en gång var {days}:e dag.',
    amount: 'Varje dragning är på {amount}.',
    variableAmount: 'Beloppet kan variera från gång till gång.',
    until: 'Till och med {date}.',
    noMoneyNow: 'Inget dras nu.',
    canEnd: 'Du kan avsluta när du vill, på en sida som du får en länk till efter betalningen.',
  },
  nb: {
    heading: 'Du godtar flere belastninger',
    agree: '{shop} kan belaste kortet igjen uten å spørre deg hver gang.',
    replace: '{shop} belaster dette kortet for abonnementet ditt fra nå av.',
    unscheduled: 'Det er ingen fast plan: kortet belastes når du bruker tjenesten.',
    daily: 'Høyst én gang om dagen.',
    everyDays: 'Høyst én gang hver {days}. dag.',
    amount: 'Hver belastning er på {amount}.',
    variableAmount: 'Beløpet kan variere fra gang til gang.',
    until: 'Til og med {date}.',
    noMoneyNow: 'Ingenting trekkes nå.',
    canEnd: 'Du kan avslutte når du vil, på en side som du får lenke til etter betalingen.',
  },
  da: {
    heading: 'Du accepterer kommende betalinger',
    agree: '{shop} må trække på kortet igen uden at spørge dig hver gang.',
    replace: '{shop} trækker fra nu af på dette kort for dit abonnement.',
    unscheduled: 'Der er ingen fast plan: der trækkes, når du bruger tjenesten.',
    daily: 'Højst én gang om dagen.',
    everyDays: 'Højst én gang hver {days}. dag.',
    amount: 'Hver betaling er på {amount}.',
    variableAmount: 'Beløbet kan variere fra gang til gang.',
    until: 'Til og med {date}.',
    noMoneyNow: 'Der trækkes intet nu.',
    canEnd: 'Du kan opsige når som helst, på en side som du får et link til efter betalingen.',
  },
  fi: {
    heading: 'Hyväksyt tulevat veloitukset',
    agree: '{shop} voi veloittaa korttia uudelleen kysymättä sinulta joka kerta.',
    replace: '{shop} veloittaa tilauksesi tästä lähtien tältä kortilta.',
    unscheduled: 'Kiinteää aikataulua ei ole: korttia veloitetaan, kun käytät palvelua.',
    daily: 'Enintään kerran päivässä.',
    everyDays: 'Enintään kerran {days} päivässä.',
    amount: 'Jokainen veloitus on {amount}.',
    variableAmount: 'Summa voi vaihdella veloituksesta toiseen.',
    until: '{date} saakka.',
    noMoneyNow: 'Nyt ei veloiteta mitään.',
    canEnd: 'Voit lopettaa milloin tahansa sivulla, jonka linkin saat maksun jälkeen.',
  },
  de: {
    heading: 'Du stimmst weiteren Abbuchungen zu',
    agree: '{shop} darf diese Karte wieder belasten, ohne jedes Mal zu fragen.',
    replace: '{shop} belastet ab jetzt diese Karte für dein Abonnement.',
    unscheduled: 'Es gibt keinen festen Plan: Belastet wird, wenn du den Dienst nutzt.',
    daily: 'Höchstens einmal am Tag.',
    everyDays: 'Höchstens einmal in {days} Tagen.',
    amount: 'Jede Abbuchung beträgt {amount}.',
    variableAmount: 'Der Betrag kann von Mal zu Mal verschieden sein.',
    until: 'Bis {date}.',
    noMoneyNow: 'Jetzt wird nichts abgebucht.',
    canEnd: 'Du kannst es jederzeit beenden, auf einer Seite, deren Link du nach dem Bezahlen bekommst.',
  },
  pl: {
    heading: 'Zgadzasz się na kolejne obciążenia',
    agree: '{shop} może ponownie obciążać tę kartę bez pytania za każdym razem.',
    replace: '{shop} będzie odtąd obciążać tę kartę za Twoją subskrypcję.',
    unscheduled: 'Nie ma stałego harmonogramu: karta jest obciążana, gdy korzystasz z usługi.',
    daily: 'Najwyżej raz dziennie.',
    everyDays: 'Najwyżej raz na {days} dni.',
    amount: 'Każde obciążenie to {amount}.',
    variableAmount: 'Kwota może się różnić przy każdym obciążeniu.',
    until: 'Do {date}.',
    noMoneyNow: 'Teraz nic nie jest pobierane.',
    canEnd: 'Możesz zakończyć w każdej chwili na stronie, do której link otrzymasz po płatności.',
  },
  fr: {
    heading: 'Vous acceptez de prochains prélèvements',
    agree: '{shop} peut de nouveau débiter cette carte sans vous demander à chaque fois.',
    replace: '{shop} débitera désormais cette carte pour votre abonnement.',
    unscheduled: 'Il n’y a pas de calendrier fixe : la carte est débitée quand vous utilisez le service.',
    daily: 'Au plus une fois par jour.',
    everyDays: 'Au plus une fois tous les {days} jours.',
    amount: 'Chaque débit est de {amount}.',
    variableAmount: 'Le montant peut varier d’un débit à l’autre.',
    until: 'Jusqu’au {date}.',
    noMoneyNow: 'Rien n’est débité maintenant.',
    canEnd: 'Vous pouvez y mettre fin à tout moment, sur une page dont vous recevez le lien après le paiement.',
  },
  nl: {
    heading: 'Je gaat akkoord met volgende afschrijvingen',
    agree: '{shop} mag deze kaart opnieuw belasten zonder het telkens te vragen.',
    replace: '{shop} belast voortaan deze kaart voor je abonnement.',
    unscheduled: 'Er is geen vast schema: de kaart wordt belast wanneer je de dienst gebruikt.',
    daily: 'Hoogstens één keer per dag.',
    everyDays: 'Hoogstens één keer per {days} dagen.',
    amount: 'Elke afschrijving is {amount}.',
    variableAmount: 'Het bedrag kan per keer verschillen.',
    until: 'Tot en met {date}.',
    noMoneyNow: 'Er wordt nu niets afgeschreven.',
    canEnd: 'Je kunt het altijd beëindigen, op een pagina waarvan je de link na het betalen krijgt.',
  },
  es: {
    heading: 'Aceptas próximos cargos',
    agree: '{shop} puede volver a cobrar a esta tarjeta sin preguntarte cada vez.',
    replace: '{shop} cobrará desde ahora tu suscripción a esta tarjeta.',
    unscheduled: 'No hay un calendario fijo: se cobra cuando usas el servicio.',
    daily: 'Como máximo una vez al día.',
    everyDays: 'Como máximo una vez cada {days} días.',
    amount: 'Cada cargo es de {amount}.',
    variableAmount: 'El importe puede variar de un cargo a otro.',
    until: 'Hasta el {date}.',
    noMoneyNow: 'Ahora no se cobra nada.',
    canEnd: 'Puedes terminarla cuando quieras, en una página cuyo enlace recibes después de pagar.',
  },
};
