// The settings of a merchant, in Spanish.
import type { TextsOf } from '../texts.ts';
import type { en } from './en.ts';

export const es: TextsOf<typeof en> = {
  merchant: 'Comercio',
  mode: 'Modo',
  live: 'producción',
  test: 'pruebas',
  forGood: 'No se puede cambiar.',
  name: 'Nombre',
  dialect: 'Dialecto',
  strictItems: 'Artículos estrictos',
  reserveOnDemand: 'Reservar a petición',
  refundProof: 'Reembolsos que piden verificación',
  refundProofLabel: 'Los reembolsos por encima de estos importes piden verificación',
  colour: 'Color',
  acquirer: 'Adquirente',
  means: {
    name: 'Se muestra a los consumidores en el checkout y en las facturas.',
    dialect: 'Cómo escribe la API sus respuestas: spec, o nexi para programas hechos para otro servicio.',
    strictItems: 'Los cobros, reembolsos y cancelaciones solo pueden nombrar artículos que aún queden.',
    reserveOnDemand: 'Cobrar o cancelar un pago sin pagar lo reserva primero. Solo comercios de prueba.',
    colour: 'De los botones del checkout, con seis dígitos hexadecimales. Vacío: el color habitual.',
    refundProof:
      'Un reembolso que lleva lo reembolsado de un pago por encima del importe de su moneda pregunta quién es, con llave de acceso o código; en una moneda sin importe lo hacen todos. Vacío: ninguno.',
    acquirer: 'Dónde se hacen las nuevas reservas. Lo fija quien administra este Kassa: kassa merchant update.',
    seller: 'En las facturas; se fija con kassa merchant update.',
  },
  seller: 'Vendedor: {field}',
  yes: 'sí',
  no: 'no',
  change: 'Cambiar',
  badName: 'Indique un nombre.',
  badDialect: 'Elija un dialecto.',
  badColour: 'El color debe tener seis dígitos hexadecimales, como #0b6e4f.',
  badRefundProof: 'Escriba importes con su moneda, uno por cada una: 5000 SEK, 500 EUR.',
  conflict: 'No es compatible: solo un comercio de prueba del simulador reserva a petición.',
};
