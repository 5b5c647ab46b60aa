// The overview, in Spanish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const es: TextsOf<typeof en> = {
  orMore: '{count} o más',
  longPending: {
    one: '{number} resultado lleva más de diez minutos sin conocerse. Kassa sigue preguntando al adquirente; nada se pierde y nada se hace dos veces.',
    other:
      '{number} resultados llevan más de diez minutos sin conocerse. Kassa sigue preguntando al adquirente; nada se pierde y nada se hace dos veces.',
  },
  expiring: {
    one: '{number} reserva termina en {days} días: {link}.',
    other: '{number} reservas terminan en {days} días: {link}.',
  },
  expiringLink: 'cobrar o cancelar lo que queda',
  failing: {
    one: '{number} webhook falla en este momento; los eventos se reintentan durante tres días.',
    other: '{number} webhooks fallan en este momento; los eventos se reintentan durante tres días.',
  },
  disabled: {
    one: '{number} webhook está desactivado por fallos.',
    other: '{number} webhooks están desactivados por fallos.',
  },
  differences: {
    one: '{number} diferencia entre sus libros y los de {acquirer}, encontrada el {time}. Mírela y pregunte al adquirente qué tiene; {command} lo enumera todo.',
    other:
      '{number} diferencias entre sus libros y los de {acquirer}, encontradas el {time}. Mire estos pagos y pregunte al adquirente qué tiene de ellos; {command} lo enumera todo.',
  },
  nothing: 'Nada requiere atención.',
  attention: 'Requiere atención',
  charged: 'Cobrado',
  refunded: 'Reembolsado',
  net: 'Neto',
  accepted: 'Aceptados',
  averageOrder: 'Pedido medio',
  charges: { one: '{count} cobro', other: '{count} cobros' },
  refunds: { one: '{count} reembolso', other: '{count} reembolsos' },
  netHint: 'cobrado menos reembolsado',
  tries: '{accepted} de {tried} intentos de pago',
  averageHint: 'de lo reservado',
  byDay: 'Por día',
  chart: 'Cobrado y reembolsado en {currency} en cada uno de {days} días; la tabla dice lo mismo.',
  bar: '{day}: {charged} cobrados, {refunded} reembolsados',
  chargedKey: 'cobrado',
  refundedKey: 'reembolsado',
  showFigures: 'Mostrar las cifras',
  none: 'En estos {days} días no se cobró ni se reembolsó nada en {currency}',
  noneReserved: 'Lo reservado espera a que se cobre.',
  showReserved: 'Mostrar lo reservado',
  noneYet:
    'Cada día tendrá una barra en cuanto se cobre un pago: aquí a mano, por la API o en el acto cuando el consumidor paga.',
  longer: 'Ver {days} días',
  day: 'Día (UTC)',
  other: 'Otros',
  more: { one: 'y {count} más', other: 'y {count} más' },
  currency: 'Moneda',
  period: 'Periodo',
  days: { one: '{count} día', other: '{count} días' },
  behind: 'Hay mucho nuevo: parte de los últimos minutos aún no está en estas cifras.',
  methods: 'Formas de pago',
  declines: 'Motivos de rechazo',
  noMethods: 'No se cobró nada en este tiempo.',
  noDeclines: 'No se rechazó nada en este tiempo.',
  foot: 'Los días son los de UTC. Un movimiento cuenta para el día en que se pidió.',
};
